import { type ApiObject, StatusError } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClient } from '../client/client.ts';
import { FakeApi, jsonResponse } from '../client/fake-api.fixture.ts';
import { createManualAmbient } from '../manual-ambient.fixture.ts';
import { createInformer } from './informer.ts';
import { InformerStore, keyOf, parseKey } from './informer-store.ts';

function setUp() {
  const api = new FakeApi();
  const ambient = createManualAmbient();
  const errors: unknown[] = [];
  const client = createClient({ transport: api, baseUrl: 'http://server', ambient });
  const things = client.resource({ group: '', version: 'v1', resource: 'things' });
  const start = () => createInformer(things, { onError: (error) => errors.push(error) });
  return { api, ambient, errors, start };
}

/** A handler that records its calls. */
function recorder() {
  const received: string[] = [];
  return {
    received: received,
    added: (object: ApiObject) => received.push(`+${keyOf(object)}=${object.value}`),
    updated: (object: ApiObject, before: ApiObject) =>
      received.push(`~${keyOf(object)}=${before.value}>${object.value}`),
    deleted: (object: ApiObject) => received.push(`-${keyOf(object)}=${object.value}`),
  };
}

describe('an informer', () => {
  it('takes more objects on a page than a call can have arguments', async () => {
    const thing = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a', resourceVersion: '1' } };
    const items = new Array<ApiObject>(2_000_000).fill(thing);
    const list = { apiVersion: 'v1', kind: 'ThingList', metadata: { resourceVersion: '1' }, items };
    await using informer = createInformer({
      ambient: createManualAmbient(),
      async *pages() {
        yield list;
      },
      async *watch({ signal } = {}) {
        if (signal?.aborted) return;
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      },
    });
    await informer.synced;
    expect(informer.list()).toEqual([thing]);
  });

  it('lists existing objects, and follows changes', async () => {
    const { api, ambient, start } = setUp();
    api.put('a', '1');
    const informer = start();
    const handler = recorder();
    informer.addHandler(handler);
    expect(informer.hasSynced).toBe(false);
    await informer.synced;
    expect(informer.hasSynced).toBe(true);
    await ambient.settle();
    api.put('b', '1', 'other');
    api.put('a', '2');
    api.delete('b', 'other');
    await ambient.settle();
    expect(handler.received).toEqual(['+ns/a=1', '+other/b=1', '~ns/a=1>2', '-other/b=1']);
    expect(informer.get('ns', 'a')?.value).toBe('2');
    expect(informer.get('other', 'b')).toBeUndefined();
    expect(informer.list().map(keyOf)).toEqual(['ns/a']);
    expect(informer.list('other')).toEqual([]);
    expect(informer.resourceVersion).toBe('104');
    await informer.close();
    expect(api.watches).toBe(0);
  });

  it('misses no change before its first watch is open', async () => {
    const { api, ambient, errors, start } = setUp();
    api.put('a', '1');
    const reset = () => {
      throw new Error('the connection was reset');
    };
    api.instead.push(() => undefined, reset, reset);
    await using informer = start();
    const handler = recorder();
    informer.addHandler(handler);
    await ambient.settle();
    for (const value of ['2', '3']) api.put('a', value);
    await ambient.advance(10_000);
    expect(handler.received).toEqual(['+ns/a=1', '~ns/a=1>2', '~ns/a=2>3']);
    expect(errors).toHaveLength(2);
  });

  it('notifies a later handler of existing objects, and a removed one of nothing', async () => {
    const { api, ambient, start } = setUp();
    api.put('a', '1');
    await using informer = start();
    await informer.synced;
    const [staying, leaving] = [recorder(), recorder()];
    informer.addHandler(staying);
    const left = informer.addHandler(leaving);
    left[Symbol.dispose]();
    await ambient.settle();
    api.put('a', '2');
    await ambient.settle();
    expect(staying.received).toEqual(['+ns/a=1', '~ns/a=1>2']);
    expect(leaving.received).toEqual(['+ns/a=1']);
  });

  it('lists again if events are lost, and reports the difference', async () => {
    const { api, ambient, errors, start } = setUp();
    for (const name of ['same', 'changed', 'gone']) api.put(name, '1');
    await using informer = start();
    const handler = recorder();
    informer.addHandler(handler);
    await informer.synced;
    await ambient.settle();
    handler.received.length = 0;
    api.instead.push(() => {
      // while the connection is broken
      api.put('changed', '2');
      api.delete('gone');
      api.put('new', '1');
      api.compact();
      return undefined;
    });
    api.cut('cleanly');
    await ambient.settle();
    expect(handler.received.toSorted()).toEqual(['+ns/new=1', '-ns/gone=1', '~ns/changed=1>2']);
    expect(errors).toEqual([]);
    api.put('new', '2');
    await ambient.settle();
    expect(handler.received.at(-1)).toBe('~ns/new=1>2');
  });

  it('lists everything at once if pages expire', async () => {
    const { api, ambient, start } = setUp();
    for (let i = 0; i < 501; i++) api.put(`n${i}`);
    api.instead.push(undefined, () => {
      api.compact();
      return undefined;
    });
    await using informer = start();
    await informer.synced;
    await ambient.settle();
    expect(informer.list()).toHaveLength(501);
    expect(api.seen.slice(0, 3).map(({ query }) => query.get('limit'))).toEqual(['500', '500', '0']);
  });

  it('retries, with growing pauses, and reports why', async () => {
    const { api, ambient, errors, start } = setUp();
    const down = (): never => {
      throw new Error('connection refused');
    };
    const forbidden = () => jsonResponse(StatusError.forbidden(undefined, '', 'no').status, 403);
    api.instead.push(down, forbidden, undefined, forbidden);
    await using informer = start();
    const waits: (number | undefined)[] = [];
    for (let i = 0; i < 3; i++) {
      await ambient.settle();
      waits.push(ambient.pending()[0]);
      await ambient.advance(ambient.pending()[0] ?? 0);
    }
    expect(waits).toEqual([800, 1600, 3200]);
    expect(errors.map(String)).toEqual([
      'Error: connection refused',
      'StatusError: forbidden: no',
      'StatusError: forbidden: no',
    ]);
    await informer.synced;
    expect(api.watches).toBe(1);
  });

  it('continues when a handler throws', async () => {
    const { api, ambient, errors, start } = setUp();
    await using informer = start();
    informer.addHandler({
      added: () => {
        throw new Error('handler');
      },
    });
    const handler = recorder();
    informer.addHandler(handler);
    await informer.synced;
    await ambient.settle();
    api.put('a', '1');
    await ambient.settle();
    expect(handler.received).toEqual(['+ns/a=1']);
    expect(errors.map(String)).toEqual(['Error: handler']);
  });

  it('rejects waiting callers if it is closed before the first list', async () => {
    const { api, ambient, start } = setUp();
    api.instead.push(() => new Promise(() => {}));
    const informer = start();
    await ambient.settle();
    const waited = expect(informer.synced).rejects.toThrow('the informer has been closed');
    // a transport that ignores the signal delays nobody
    void informer.close();
    await waited;
  });
});

describe('the store of an informer', () => {
  const object = (namespace: string, name: string, version: number): ApiObject => ({
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { ...(namespace && { namespace }), name, resourceVersion: String(version) },
  });
  const key = fc.tuple(fc.constantFrom('', 'a', 'b'), fc.constantFrom('x', 'y', 'z'));
  const step = fc.oneof(
    fc.record({ type: fc.constant('set' as const), key, version: fc.nat(3) }),
    fc.record({ type: fc.constant('delete' as const), key }),
    fc.record({
      type: fc.constant('replace' as const),
      objects: fc.uniqueArray(fc.tuple(key, fc.nat(3)), { selector: ([of]) => of.join('/') }),
    }),
  );

  it('is a map, and its changes lead from one state to the next', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const store = new InformerStore<ApiObject>();
        let model = new Map<string, string>();
        const followed = new Map<string, string>();
        const put = (map: Map<string, string>, of: ApiObject): unknown =>
          map.set(keyOf(of), of.metadata.resourceVersion as string);
        for (const one of steps) {
          let changes: readonly ReturnType<typeof store.set>[];
          if (one.type === 'set') {
            const next = object(...one.key, one.version);
            changes = [store.set(next)];
            put(model, next);
          } else if (one.type === 'delete') {
            const gone = object(...one.key, 9);
            changes = [store.delete(gone)];
            model.delete(keyOf(gone));
          } else {
            const objects = one.objects.map(([of, version]) => object(...of, version));
            changes = store.replace(objects);
            model = new Map();
            for (const of of objects) put(model, of);
          }
          for (const change of changes) {
            if (change?.type === 'deleted') expect(followed.delete(keyOf(change.object))).toBe(true);
            if (change?.type === 'added') expect(followed.has(keyOf(change.object))).toBe(false);
            if (change?.type === 'updated') {
              expect(change.previous.metadata.resourceVersion).toBe(followed.get(keyOf(change.object)));
            }
            if (change && change.type !== 'deleted') put(followed, change.object);
          }
          const held = new Map(store.list().map((of) => [keyOf(of), of.metadata.resourceVersion]));
          expect(held).toEqual(model);
          expect(followed).toEqual(model);
          for (const namespace of ['', 'a', 'b']) {
            const here = store.list(namespace).map(keyOf).toSorted();
            expect(here).toEqual(
              [...model.keys()].filter((of) => parseKey(of).namespace === namespace).toSorted(),
            );
          }
        }
      }),
    );
  });

  it('shares lists between two changes', () => {
    const store = new InformerStore<ApiObject>();
    store.set(object('a', 'x', 1));
    expect(store.list()).toBe(store.list());
    expect(store.list('a')).toBe(store.list('a'));
    const before = store.list();
    store.set(object('a', 'y', 2));
    expect(store.list()).not.toBe(before);
    expect(before).toHaveLength(1);
  });
});
