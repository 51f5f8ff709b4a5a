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

  it('drops only its own failure', async () => {
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
    expect(cache.get('a', async () => 'newer')).toBe(fresh);
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
