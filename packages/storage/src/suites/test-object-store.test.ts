import { describe, expect, test } from 'vitest';
import type { ListResult, ObjectEvent, ObjectObserver, ObjectStore } from '../contracts/object-store.ts';
import { createMemoryStore } from '../memory/memory-store.ts';
import { createObjectStore } from '../objects/create-object-store.ts';
import { ObjectRecord } from '../objects/object-record.ts';
import { testObjectStore } from './test-object-store.ts';

/** Runs the suite over a correct store with some methods replaced; returns the tests that fail, or do not end. */
async function failures(change: (store: ObjectStore) => Partial<ObjectStore>): Promise<string[]> {
  const tests: [string, () => Promise<void>][] = [];
  testObjectStore(
    'broken',
    (context) => {
      const engine = createMemoryStore({ clock: context.clock });
      const sound = createObjectStore(engine, context);
      const changed = change(sound);
      const store = new Proxy(sound, {
        get: (_, name) => {
          const value = Reflect.get(name in changed ? changed : sound, name);
          return typeof value === 'function' ? value.bind(sound) : value;
        },
      });
      return { store, compact: (revision) => engine.compact(revision) };
    },
    { describe: (_, define) => define(), test: (name, run) => tests.push([name, run]) },
  );
  const failed: string[] = [];
  for (const [name, run] of tests) {
    const hangs = new Promise<boolean>((resolve) => setTimeout(resolve, 100, true));
    if (
      await Promise.race([
        run()
          .then(() => false)
          .catch(() => true),
        hangs,
      ])
    )
      failed.push(name);
  }
  return failed;
}

const copyOf = (record: ObjectRecord): ObjectRecord =>
  new ObjectRecord(record.key, record.revision, record.stored, record.codec);

const recording = (store: ObjectStore, bend: (batch: readonly ObjectEvent[]) => ObjectEvent[]) => ({
  watch: (prefix: string, options: { readonly afterRevision: number }, observer: ObjectObserver) =>
    store.watch(prefix, options, { ...observer, events: (batch) => observer.events(bend(batch)) }),
});

describe('the suite of object stores', () => {
  test.each<[string, (store: ObjectStore) => Partial<ObjectStore>, string]>([
    [
      'copies records',
      (s) => ({ get: (key, o) => Promise.resolve(s.get(key, o)).then((record) => record && copyOf(record)) }),
      'gives one record to all who look at one value',
    ],
    [
      'reads what is at hand instead of waiting',
      (s) => ({ get: (key) => s.get(key) }),
      'waits for a version that is on its way',
    ],
    [
      'lists the newest state for every version',
      (s) => ({
        list: (prefix, { atRevision: _, ...options } = {}) => s.list(prefix, options) as ListResult,
      }),
      'lists by key, in pages of one revision',
    ],
    [
      'asks a change only once',
      (s) => ({
        update: async (key, change) => {
          const wanted = await change(await s.get(key));
          return s.update(key, () => wanted);
        },
      }),
      'hands the newer object to a change that came second, so that none is lost',
    ],
    [
      'tells removals under the old version',
      (s) =>
        recording(s, (batch) =>
          batch.map((e) => (e.type === 'removed' ? { ...e, record: e.record.at(e.record.revision - 1) } : e)),
        ),
      'sends creations, updates and removals, with the previous object',
    ],
    [
      'repeats events',
      (s) => recording(s, (batch) => [...batch, ...batch]),
      'delivers every change once under concurrent writers',
    ],
  ])('detects a store that %s', async (_, change, name) => {
    expect(await failures(change)).toContain(name);
  });

  test('detects nothing in a correct store behind a proxy', async () => {
    expect(await failures(() => ({}))).toEqual([]);
  });
});
