import { describe, expect, test } from 'vitest';
import type { KeyValueEvent, KeyValueStore, WatchObserver } from '../contracts/key-value-store.ts';
import { createMemoryStore, type MemoryStore } from '../memory/memory-store.ts';
import type { CreateStore } from './suite-runner.ts';
import { testKeyValueStore } from './test-key-value-store.ts';

/** Runs the suite and returns the names of the tests that fail, or do not end. */
async function failures(create: CreateStore): Promise<string[]> {
  const tests: [string, () => Promise<void>][] = [];
  testKeyValueStore('broken', create, {
    describe: (_, define) => define(),
    test: (name, run) => tests.push([name, run]),
    historyMilliseconds: 300_000,
    runs: 30,
  });
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

/** The memory engine with some methods replaced. */
const broken =
  (change: (store: MemoryStore) => Partial<KeyValueStore>): CreateStore =>
  ({ clock }) => {
    const store = createMemoryStore({ clock });
    const changed = change(store);
    return new Proxy<KeyValueStore>(store, {
      get: (_, name) => {
        const value = Reflect.get(name in changed ? changed : store, name);
        return typeof value === 'function' ? value.bind(store) : value;
      },
    });
  };

const recording = (store: MemoryStore, bend: (batch: readonly KeyValueEvent[]) => KeyValueEvent[]) => ({
  watch: (prefix: string, options: { readonly afterRevision: number }, observer: WatchObserver) =>
    store.watch(prefix, options, {
      events: (batch) => observer.events(bend(batch)),
      error: (error) => observer.error(error),
    }),
});

describe('the suite of engines', () => {
  test.each<[string, (store: MemoryStore) => Partial<KeyValueStore>, string]>([
    [
      'ignores the revision read',
      (s) => ({ range: (p, o) => s.range(p, { ...o, atRevision: s.currentRevision() }) }),
      'reads the state of every revision held',
    ],
    [
      'miscounts what remains',
      (s) => ({ range: (p, o) => ({ ...s.range(p, o), remaining: 1 }) }),
      'pages with `after` and `limit` and counts what remains',
    ],
    [
      'writes in spite of the condition',
      (s) => ({ put: (k, v) => s.put(k, v) }),
      'puts and deletes only at the revision that was asked for',
    ],
    [
      'deletes in spite of the condition',
      (s) => ({ delete: (k) => s.delete(k) }),
      'agrees with a plain model over random histories',
    ],
    [
      'repeats events',
      (s) => recording(s, (batch) => [...batch, ...batch]),
      'delivers every change once, in order, with what was before',
    ],
    [
      'loses deletions',
      (s) => recording(s, (batch) => batch.filter((e) => e.type === 'put')),
      'stays linearizable under concurrent writers, readers and a watch',
    ],
    [
      'forgets what was before',
      (s) => recording(s, (b) => b.map(({ previous: _, ...event }) => event)),
      'delivers every change once, in order, with what was before',
    ],
    [
      'starts watches now',
      (s) => ({ watch: (p, _, o) => s.watch(p, { afterRevision: s.currentRevision() }, o) }),
      'starts in the past with what happened since',
    ],
    ['forks nothing', (s) => ({ fork: () => s }), 'neither side sees what the other writes'],
    [
      'has no leases',
      (s) => ({
        put: (k, v, o) => s.put(k, v, o?.ifRevision === undefined ? {} : { ifRevision: o.ifRevision }),
      }),
      'deletes a leased entry when its time is over, as an ordinary change',
    ],
    ['compacts nothing', () => ({ compact: () => {} }), 'rejects compacted revisions only'],
    [
      'reads stale values',
      (s) => ({ get: (k) => s.range(k, { atRevision: Math.max(1, s.currentRevision() - 1) }).entries[0] }),
      'stays linearizable under concurrent writers, readers and a watch',
    ],
  ])('detects an engine that %s', async (_, change, name) => {
    expect(await failures(broken(change))).toContain(name);
  });

  test('detects nothing in a correct engine behind a proxy', async () => {
    expect(await failures(broken(() => ({})))).toEqual([]);
  });
});
