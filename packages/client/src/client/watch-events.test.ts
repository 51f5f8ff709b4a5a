import { type ApiObject, StatusError, type WatchEvent } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { keyOf } from '../informer/informer-store.ts';
import { createManualAmbient } from '../manual-ambient.fixture.ts';
import { createClient } from './client.ts';
import { FakeApi, jsonResponse } from './fake-api.fixture.ts';
import type { WatchOptions } from './resource-options.ts';

/** A watch whose events are collected as they arrive. */
function follow(options: WatchOptions = {}) {
  const api = new FakeApi();
  const ambient = createManualAmbient();
  const client = createClient({ transport: api, baseUrl: 'http://server', ambient });
  const stop = new AbortController();
  const events: WatchEvent[] = [];
  const things = client.resource({ group: '', version: 'v1', resource: 'things' });
  const run = async (): Promise<unknown> => {
    try {
      for await (const event of things.watch({ signal: stop.signal, ...options })) events.push(event);
      return 'ended';
    } catch (error) {
      return error;
    }
  };
  const texts = (): string[] =>
    events.map(({ type, object }) => `${type} ${keyOf(object)}@${object.metadata.resourceVersion}`);
  return { api, ambient, things, stop, run, texts };
}

describe('a watch', () => {
  it('lists first without a version, and continues from there', async () => {
    const { api, ambient, run, texts, stop } = follow();
    api.put('a');
    const over = run();
    await ambient.settle();
    api.put('b');
    api.delete('a');
    await ambient.settle();
    expect(texts()).toEqual(['ADDED ns/a@101', 'ADDED ns/b@102', 'DELETED ns/a@103']);
    expect(api.seen.map(({ query }) => query.get('resourceVersion'))).toEqual([null, '101']);
    stop.abort(new Error('enough'));
    expect(await over).toMatchObject({ message: 'enough' });
  });

  it('sends its parameters', async () => {
    const { api, ambient, run, stop } = follow({
      resourceVersion: '100',
      labelSelector: 'a=b',
      fieldSelector: 'metadata.name=c',
      timeoutSeconds: 7,
    });
    void run();
    await ambient.settle();
    expect(Object.fromEntries(api.seen[0]?.query ?? [])).toEqual({
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: '100',
      labelSelector: 'a=b',
      fieldSelector: 'metadata.name=c',
      timeoutSeconds: '7',
    });
    stop.abort();
  });

  it('reconnects from the last seen version, including those of bookmarks', async () => {
    const { api, ambient, run, texts, stop } = follow({ resourceVersion: '100' });
    void run();
    await ambient.settle();
    api.put('a');
    api.bookmark();
    await ambient.settle();
    api.cut('cleanly');
    await ambient.settle();
    api.put('b');
    await ambient.settle();
    api.cut('broken');
    await ambient.settle();
    api.put('c');
    await ambient.settle();
    expect(texts()).toEqual(['ADDED ns/a@101', 'ADDED ns/b@103', 'ADDED ns/c@104']);
    expect(api.seen.map(({ query }) => query.get('resourceVersion'))).toEqual(['100', '102', '103']);
    stop.abort();
  });

  it('returns bookmarks on request', async () => {
    const { api, ambient, run, texts, stop } = follow({ resourceVersion: '100', bookmarks: true });
    void run();
    await ambient.settle();
    api.bookmark();
    await ambient.settle();
    expect(texts()).toEqual(['BOOKMARK @101']);
    stop.abort();
  });

  it('waits longer after each connection without events, and not after a long-lived one', async () => {
    const { api, ambient, run, stop } = follow({ resourceVersion: '100' });
    void run();
    await ambient.settle();
    const gone = (): never => {
      throw new Error('connection refused');
    };
    api.instead.push(gone, gone, () => jsonResponse({}, 503), gone);
    api.cut('cleanly');
    await ambient.settle();
    const waits: (number | undefined)[] = [];
    for (let i = 0; i < 4; i++) {
      waits.push(ambient.pending()[0]);
      await ambient.advance(ambient.pending()[0] ?? 0);
    }
    expect(waits).toEqual([500, 1000, 2000, 4000]);
    expect(api.watches).toBe(1);
    await ambient.advance(5000);
    api.cut('cleanly');
    await ambient.settle();
    expect([api.watches, ambient.pending()]).toEqual([1, []]);
    stop.abort();
  });

  it('ends with Expired if the server has lost the events', async () => {
    const early = follow({ resourceVersion: '50' });
    early.api.put('a');
    expect(await early.run()).toSatisfy((error) => StatusError.is(error, 'Expired'));

    const late = follow({ resourceVersion: '100' });
    const over = late.run();
    await late.ambient.settle();
    late.api.put('a');
    late.api.put('b');
    late.api.compact();
    const { status } = StatusError.expired('too old');
    late.api.cut({ type: 'ERROR', object: status as unknown as ApiObject });
    expect(await over).toSatisfy((error) => StatusError.is(error, 'Expired'));

    const refused = follow({ resourceVersion: '100' });
    refused.api.instead.push(() =>
      jsonResponse({ kind: 'Status', code: 410, reason: 'Gone', message: 'gone' }, 410),
    );
    expect(await refused.run()).toSatisfy((error) => StatusError.is(error, 'Expired'));
  });

  it('continues after a temporary error, and ends with a permanent one', async () => {
    const { api, ambient, run, texts } = follow({ resourceVersion: '100' });
    const over = run();
    await ambient.settle();
    const busy = new StatusError({ code: 500, reason: 'InternalError', message: 'etcd' }).status;
    api.cut({ type: 'ERROR', object: busy as unknown as ApiObject });
    await ambient.settle();
    api.put('a');
    await ambient.settle();
    expect(texts()).toEqual(['ADDED ns/a@101']);
    api.instead.push(() => jsonResponse(StatusError.forbidden(undefined, '', 'no').status, 403));
    api.cut('cleanly');
    await ambient.advance(60_000);
    expect(await over).toSatisfy((error) => StatusError.is(error, 'Forbidden'));
  });

  it('fails immediately if its first connection fails', async () => {
    const { api, run } = follow({ resourceVersion: '100' });
    api.instead.push(() => {
      throw new Error('connection refused');
    });
    expect(await run()).toMatchObject({ message: 'connection refused' });
  });

  it('closes the connection when its reader stops', async () => {
    const { api, ambient, things } = follow();
    api.put('a');
    for await (const event of things.watch({ resourceVersion: '100' })) {
      expect(event.object.metadata.name).toBe('a');
      break;
    }
    await ambient.settle();
    expect(api.watches).toBe(0);
  });
});
