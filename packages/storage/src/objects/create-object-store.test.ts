import { type ApiObject, StatusError } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, test } from 'vitest';
import type { KeyValueStore } from '../contracts/key-value-store.ts';
import type {
  ChangeFunction,
  ChangeResult,
  ListResult,
  ObjectEvent,
  ObjectStore,
} from '../contracts/object-store.ts';
import { createMemoryStore, type MemoryStore } from '../memory/memory-store.ts';
import { testObjectStore } from '../suites/test-object-store.ts';
import { createObjectStore } from './create-object-store.ts';
import type { ObjectRecord } from './object-record.ts';

const codec = {
  encode: (object: ApiObject): Uint8Array => new TextEncoder().encode(JSON.stringify(object)),
  decode: (bytes: Uint8Array): ApiObject => JSON.parse(new TextDecoder().decode(bytes)),
};
const clock = createSteppedClock();

const thing = (name: string, data: string): ApiObject => ({
  kind: 'Thing',
  apiVersion: 'v1',
  metadata: { name, uid: `uid-of-${name}` },
  data,
});
const write = (object: ApiObject) => () => ({ action: 'write', object }) as const;

function setUp(options: { maxObjectBytes?: number } = {}): { engine: MemoryStore; store: ObjectStore } {
  const engine = createMemoryStore({ clock });
  return { engine, store: createObjectStore(engine, { codec, clock, ...options }) };
}

testObjectStore(
  'object store over the memory engine',
  (context) => {
    const engine = createMemoryStore(context);
    return { store: createObjectStore(engine, context), compact: (revision) => engine.compact(revision) };
  },
  { describe, test },
);

describe('object store', () => {
  test('decodes no object that it has written itself, however large it is', async () => {
    let decoded = 0;
    const counting = {
      ...codec,
      decode: (bytes: Uint8Array): ApiObject => {
        decoded++;
        return codec.decode(bytes);
      },
    };
    const store = createObjectStore(createMemoryStore({ clock }), { codec: counting, clock });
    await store.update('/things/a', write(thing('a', 'x'.repeat(100_000))));
    const change: ChangeFunction = (current) => ({
      action: 'write',
      object: { ...current?.object, more: 'y' } as unknown as ApiObject,
    });
    const { record } = await store.update('/things/a', change);
    expect(record?.object).toMatchObject({ data: 'x'.repeat(100_000), more: 'y' });
    expect(decoded).toBe(0);
  });

  test('shows followers a large new object that was not decoded for them, but was frozen with pauses', async () => {
    let pauses = 0;
    let time = 0;
    const turns = {
      requestBegan: () => {},
      pause: async () => void pauses++,
      atEndOfTurn: (call: () => void) => call(),
    };
    const decode = (): ApiObject => {
      throw new TypeError('decoded');
    };
    const busy = { ...clock, monotonic: () => (time += 5) };
    const options = { codec: { ...codec, decode }, clock: busy, turns };
    const store = createObjectStore(createMemoryStore({ clock }), options);
    const sizes: number[] = [];
    store.watch(
      '/things/',
      { afterRevision: 1 },
      {
        events: (batch) => {
          for (const { record } of batch) sizes.push(Object.keys(record.object.data as object).length);
        },
        error: () => {},
      },
    );
    const data = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, { i }]));
    await store.update('/things/a', write({ ...thing('a', ''), data } as unknown as ApiObject));
    await new Promise((resolve) => setTimeout(resolve));
    expect(sizes).toEqual([10_000]);
    expect(pauses).toBeGreaterThan(3);
  });

  test('encodes what is stored once, however often it is written again unchanged', async () => {
    let encoded = 0;
    const counting = {
      ...codec,
      encode: (object: ApiObject): Uint8Array => {
        encoded++;
        const { resourceVersion: _, ...metadata } = object.metadata;
        return codec.encode({ ...object, metadata });
      },
    };
    const store = createObjectStore(createMemoryStore({ clock }), { codec: counting, clock });
    await store.update('/t/a', write(thing('a', '1')));
    const again = (isProvisional: boolean) =>
      store.update('/t/a', (current) => ({
        action: 'write',
        object: (current as ObjectRecord).object,
        isProvisional,
      }));
    for (let i = 0; i < 3; i++) expect(await again(false)).toMatchObject({ outcome: 'unchanged' });
    expect(encoded).toBe(2);
    expect(await again(true)).toMatchObject({ outcome: 'updated' });
    expect(await again(false)).toMatchObject({ outcome: 'updated' });
    expect(await again(false)).toMatchObject({ outcome: 'unchanged' });
    expect(await store.update('/t/a', write(thing('a', '2')))).toMatchObject({ outcome: 'updated' });
    expect(encoded).toBe(6);
  });

  test('returns one record to every reader of one value', async () => {
    const { store } = setUp();
    const received: ObjectEvent[] = [];
    const observer = { events: (batch: readonly ObjectEvent[]) => received.push(...batch), error: () => {} };
    store.watch('/t/', { afterRevision: 1 }, observer);
    store.watch('/t/a', { afterRevision: 1 }, observer);
    const { record } = await store.update('/t/a', write(thing('a', '1')));
    expect(store.get('/t/a')).toBe(record);
    expect((store.list('/t/') as ListResult).records[0]).toBe(record);
    expect(received).toHaveLength(2);
    expect(received[0]).toBe(received[1]);
    expect(received[0]?.record).toBe(record);
    expect(record?.object.metadata.resourceVersion).toBe('2');
  });

  test('clears the cache of a turn when that is over', async () => {
    const { store } = setUp();
    await store.update('/t/a', write(thing('a', '1')));
    const record = (await store.get('/t/a')) as ObjectRecord;
    let made = 0;
    const frame = (name: string) => record.memoInTurn(name, () => ({ number: ++made }));
    const first = frame('x');
    expect([frame('x') === first, frame('y') === first, made]).toEqual([true, false, 2]);
    await Promise.resolve();
    expect([frame('x').number, made]).toEqual([3, 3]);
  });

  test('returns the result of a change', async () => {
    const { store } = setUp();
    expect(await store.update('/t/a', () => ({ action: 'remove' }))).toMatchObject({ outcome: 'unchanged' });
    expect(await store.update('/t/a', write(thing('a', '1')))).toMatchObject({ outcome: 'created' });
    expect(await store.update('/t/a', write(thing('a', '1')))).toMatchObject({ outcome: 'unchanged' });
    expect(store.currentRevision()).toBe(2);
    expect(await store.update('/t/a', write(thing('a', '2')))).toMatchObject({ outcome: 'updated' });
    const removed = await store.update('/t/a', () => ({ action: 'remove' }));
    expect(removed.outcome).toBe('removed');
    expect(removed.record?.object).toMatchObject({ data: '2', metadata: { resourceVersion: '4' } });
    expect(removed.previous?.revision).toBe(3);
  });

  test('retries a change after another write', async () => {
    const { store } = setUp();
    await store.update('/t/a', write(thing('a', '')));
    const seen: number[] = [];
    const append = (letter: string) => async (current: ObjectRecord | undefined) => {
      seen.push(current?.revision ?? 0);
      await Promise.resolve();
      return { action: 'write', object: thing('a', `${current?.object.data}${letter}`) } as const;
    };
    await Promise.all([...'abcd'].map((letter) => store.update('/t/a', append(letter))));
    const { object } = store.get('/t/a') as ObjectRecord;
    expect([...(object.data as string)].sort().join('')).toBe('abcd');
    expect(seen.length).toBeGreaterThan(4);
  });

  test('stops when the signal is aborted', async () => {
    const { engine, store } = setUp();
    const abort = new AbortController();
    let calls = 0;
    const change = () => {
      engine.put('/t/a', codec.encode(thing('a', String(++calls))));
      if (calls === 5) abort.abort(StatusError.timeout('enough'));
      return { action: 'write', object: thing('a', 'mine') } as const;
    };
    await expect(store.update('/t/a', change, { signal: abort.signal })).rejects.toThrow('Timeout: enough');
    expect(calls).toBe(5);
  });

  test('rethrows what the change throws', async () => {
    const { store } = setUp();
    const error = StatusError.badRequest('no');
    const change = (): never => {
      throw error;
    };
    await expect(store.update('/t/a', change)).rejects.toBe(error);
  });

  test('rejects objects that are too large', async () => {
    const { store } = setUp({ maxObjectBytes: 100 });
    const refused = store.update('/t/a', write(thing('a', 'x'.repeat(100))));
    await expect(refused).rejects.toMatchObject({
      code: 413,
      message: 'Request entity too large: limit is 100',
    });
  });

  test('encodes in slices if the codec can, within the same limit', async () => {
    let pauses = 0;
    let now = 0;
    const store = createObjectStore(createMemoryStore({ clock }), {
      codec: {
        ...codec,
        *encodeSteps(object) {
          for (let i = 0; i < 25; i++) yield;
          return codec.encode(object);
        },
      },
      clock: { ...clock, monotonic: () => now++ },
      turns: { requestBegan() {}, atEndOfTurn() {}, pause: async () => void pauses++ },
      maxObjectBytes: 100,
    });
    const { record } = await store.update('/t/a', write(thing('a', '1')));
    expect([record?.stored, pauses]).toEqual([codec.encode(thing('a', '1')), 2]);
    const refused = store.update('/t/a', write(thing('a', 'x'.repeat(100))));
    await expect(refused).rejects.toMatchObject({ code: 413 });
  });

  test('waits for a future version, up to three seconds', async () => {
    const { engine, store } = setUp();
    const early = store.get('/t/a', { notOlderThan: 3 });
    const late = store.list('/t/', { notOlderThan: 9 });
    engine.put('/t/b', codec.encode(thing('b', '')));
    engine.put('/t/a', codec.encode(thing('a', '')));
    expect((await early)?.revision).toBe(3);
    clock.advance(3000);
    await expect(late).rejects.toMatchObject({
      code: 504,
      message: 'Timeout: Too large resource version: 9, current: 3',
      details: { retryAfterSeconds: 1 },
    });
  });

  test('rejects exact versions in the future and compacted ones', async () => {
    const { engine, store } = setUp();
    engine.put('/t/a', codec.encode(thing('a', '')));
    engine.put('/t/a', codec.encode(thing('a', '1')));
    engine.compact(3);
    expect(() => store.list('/t/', { atRevision: 2 })).toThrow(
      'The resourceVersion for the provided list is too old.',
    );
    expect(() => store.list('/t/', { atRevision: 9 })).toThrow(
      'Timeout: Too large resource version: 9, current: 3',
    );
  });

  test('ends a watch whose start is compacted', async () => {
    const { engine, store } = setUp();
    engine.put('/t/a', codec.encode(thing('a', '')));
    engine.put('/t/a', codec.encode(thing('a', '1')));
    engine.compact(3);
    const error = await new Promise<Error>((resolve) => {
      store.watch('/t/', { afterRevision: 2 }, { events: () => {}, error: resolve });
    });
    expect(error).toMatchObject({ code: 410, message: 'too old resource version: 2 (3)' });
  });
});

describe('object store over a stale cache', () => {
  /** Reads of any state see what existed when the copy was made; counts reads of the newest. */
  function behind(): { engine: MemoryStore; store: ObjectStore; questions: () => number; copy: () => void } {
    const engine = createMemoryStore({ clock });
    let copied = engine.range('/');
    let questions = 0;
    const stale: KeyValueStore = {
      supports: engine.supports,
      reachedRevision: () => copied.revision,
      get: (key, options) => {
        if (options?.notOlderThan === 0) return copied.entries.find((entry) => entry.key === key);
        questions++;
        return engine.get(key);
      },
      range: (prefix, options) => engine.range(prefix, options),
      put: (key, value, options) => engine.put(key, value, options),
      delete: (key, options) => engine.delete(key, options),
      watch: (prefix, options, observer) => engine.watch(prefix, options, observer),
      currentRevision: () => engine.currentRevision(),
      compact: (revision) => engine.compact(revision),
      [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
    };
    return {
      engine,
      store: createObjectStore(stale, { codec, clock }),
      questions: () => questions,
      copy: () => {
        copied = engine.range('/');
      },
    };
  }
  const direct = (engine: MemoryStore): ObjectStore => createObjectStore(engine, { codec, clock });
  const create: ChangeFunction = (current) => {
    if (current) throw new Error('it is there');
    return { action: 'write', object: thing('a', 'new') };
  };
  const dataOf = ({ record }: ChangeResult): unknown => record?.object.data;

  test('checks nothing if the write itself detects it', async () => {
    const { store, engine, questions, copy } = behind();
    expect(await store.update('/t/a', create)).toMatchObject({ outcome: 'created' });
    copy();
    expect(await store.update('/t/a', write(thing('a', '2')))).toMatchObject({ outcome: 'updated' });
    await direct(engine).update('/t/a', write(thing('a', '3')));
    const seen: unknown[] = [];
    const result = await store.update('/t/a', (current) => {
      seen.push(current?.object.data);
      return { action: 'write', object: thing('a', `${current?.object.data} and 4`) };
    });
    expect([dataOf(result), seen, questions()]).toEqual(['3 and 4', ['new', '3'], 0]);
  });

  test('does not reject on stale state, and keeps nothing that no longer exists', async () => {
    const { store, engine, questions, copy } = behind();
    await direct(engine).update('/t/a', write(thing('a', '1')));
    copy();
    await direct(engine).update('/t/a', () => ({ action: 'remove' }));
    expect(await store.update('/t/a', create)).toMatchObject({ outcome: 'created' });
    expect(await store.update('/t/a', write(thing('a', '1')))).toMatchObject({ outcome: 'updated' });
    copy();
    await direct(engine).update('/t/a', write(thing('a', '2')));
    // the cached value equals what is written, and the stored one does not
    expect(await store.update('/t/a', write(thing('a', '1')))).toMatchObject({ outcome: 'updated' });
    expect(questions()).toBe(3);
  });

  test('rejects and keeps current state, after one check', async () => {
    const { store, questions, copy } = behind();
    await store.update('/t/a', create);
    await expect(store.update('/t/a', create)).rejects.toThrow('it is there');
    copy();
    await expect(store.update('/t/a', create)).rejects.toThrow('it is there');
    expect(await store.update('/t/a', write(thing('a', 'new')))).toMatchObject({ outcome: 'unchanged' });
    expect(await store.update('/t/b', () => ({ action: 'remove' }))).toMatchObject({ outcome: 'unchanged' });
    expect(questions()).toBe(3);
  });
});

describe('the records of shared entries', () => {
  test('are made once, and have an identity until one of them changes', async () => {
    const { engine, store } = setUp();
    for (let i = 0; i < 200; i++) await store.update(`/t/${i}`, write(thing(`t${i}`, 'a')));
    const { identity, records } = await store.list('/t/');
    expect(identity).toBeDefined();
    const again = await store.list('/t/');
    expect([again.identity === identity, again.records === records]).toEqual([true, true]);
    const other = createObjectStore(engine, { codec: { ...codec }, clock });
    expect((await other.list('/t/')).identity).not.toBe(identity);
    await store.update('/t/7', write(thing('t7', 'b')));
    const changed = await store.list('/t/');
    expect(changed.identity).not.toBe(identity);
    expect(changed.records.find(({ key }) => key === '/t/7')?.object.data).toBe('b');
    expect(records.find(({ key }) => key === '/t/7')?.decode().data).toBe('a');
  });
});
