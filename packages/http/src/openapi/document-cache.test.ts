import { describe, expect, it } from 'vitest';
import { toRequest } from '../testing/test-api.fixture.ts';
import { DocumentCache, documentResponse, tagDocument } from './document-cache.ts';

describe('DocumentCache', () => {
  it('creates a document once per key and generation', async () => {
    let generation = 0;
    let made = 0;
    const cache = new DocumentCache<number>(() => generation);
    const make = async (): Promise<number> => ++made;
    expect([await cache.get('a', make), await cache.get('a', make), await cache.get('b', make)]).toEqual([
      1, 1, 2,
    ]);
    generation++;
    expect([await cache.get('a', make), await cache.get('a', make)]).toEqual([3, 3]);
  });

  it('shares a document that is still being created', async () => {
    const cache = new DocumentCache<object>(() => 0);
    const first = cache.get('a', async () => ({}));
    expect(cache.get('a', async () => ({}))).toBe(first);
  });

  it('does not cache failures', async () => {
    const cache = new DocumentCache<string>(() => 0);
    await expect(cache.get('a', async () => Promise.reject(new Error('once')))).rejects.toThrow('once');
    expect(await cache.get('a', async () => 'made')).toBe('made');
  });

  it('creates one at a time, however often its source changes, and the next for all who wait', async () => {
    let generation = 0;
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const cache = new DocumentCache<number>(() => generation);
    const make = (): Promise<number> => {
      begun.push(generation);
      const of = generation;
      return new Promise((resolve) => ends.push(() => resolve(of)));
    };
    const first = cache.get('a', make);
    generation = 1;
    const second = cache.get('a', make);
    generation = 2;
    const third = cache.get('a', make);
    expect(begun).toEqual([0]);
    ends[0]?.();
    expect(await first).toBe(0);
    await Promise.resolve();
    expect(begun).toEqual([0, 2]);
    ends[1]?.();
    expect(await Promise.all([second, third, cache.get('a', make)])).toEqual([2, 2, 2]);
    expect(begun).toEqual([0, 2]);
  });

  it('keeps nothing of an earlier generation', async () => {
    let generation = 0;
    let made = 0;
    const cache = new DocumentCache<number>(() => generation);
    const make = async (): Promise<number> => {
      // the source changes while the first is made
      if (made === 0) generation = 1;
      return ++made;
    };
    expect(await cache.get('a', make)).toBe(1);
    expect(await cache.get('a', make)).toBe(2);
    expect(await cache.get('a', make)).toBe(2);
  });

  it('tries again after a failure for those who wait', async () => {
    let generation = 0;
    const cache = new DocumentCache<string>(() => generation);
    let fail: (error: Error) => void = () => {};
    const making = new Promise<string>((_, reject) => {
      fail = reject;
    });
    const old = cache.get('a', () => making);
    generation++;
    const fresh = cache.get('a', async () => 'new');
    fail(new Error('late'));
    await expect(old).rejects.toThrow('late');
    expect(await fresh).toBe('new');
    expect(await cache.get('a', async () => 'newer')).toBe('new');
  });
});

describe('documentResponse', () => {
  it('returns the document with its ETag, or 304 for the same one', async () => {
    const document = await tagDocument(new TextEncoder().encode('{}'));
    expect(document.tag).toMatch(/^"[0-9A-F]{128}"$/);
    const asked = (tag: string) => toRequest('GET', '/', { headers: { 'if-none-match': tag } });
    expect(documentResponse(toRequest('GET', '/'), document, { a: 'b' })).toEqual({
      status: 200,
      headers: { etag: document.tag, a: 'b' },
      body: document.bytes,
    });
    expect(documentResponse(asked(document.tag), document, {})).toEqual({
      status: 304,
      headers: { etag: document.tag },
    });
    expect(documentResponse(asked('*'), document, {}).status).toBe(200);
  });
});
