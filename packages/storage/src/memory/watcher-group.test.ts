import { createSteppedClock } from '@ashlar/core/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EntryCondition, type EntryIndex, matchesCondition } from '../contracts/entry-selection.ts';
import type { KeyValueEvent, WatchObserver } from '../contracts/key-value-store.ts';
import { MvccCore } from './mvcc-core.ts';

const text = new TextDecoder();
const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);

const byLetter: EntryIndex = { prefix: '/a/', termsOf: ({ value }) => [...new Set(text.decode(value))] };
const byLength: EntryIndex = { prefix: '/', termsOf: ({ value }) => [String(value.length)] };

const condition: fc.Arbitrary<EntryCondition | undefined> = fc.option(
  fc.oneof(
    fc.record({ index: fc.constant(byLetter), anyOf: fc.subarray(['x', 'y', 'z'], { minLength: 1 }) }),
    fc.record({ index: fc.constant(byLength), anyOf: fc.subarray(['0', '1', '2'], { minLength: 1 }) }),
  ),
  { nil: undefined },
);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      key: fc.constantFrom('/a/1', '/a/2', '/b/1'),
      value: fc.option(fc.constantFrom('', 'x', 'y', 'xy', 'zz'), { nil: undefined }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('watch' as const), condition, isPatient: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('ask' as const), which: fc.nat(10) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.nat(10) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('turn' as const) }) },
);

interface Open {
  readonly condition: EntryCondition | undefined;
  readonly watch: Disposable;
  readonly received: number[];
  readonly expected: number[];
  /** Asks for the events that were announced. */
  readonly ask: () => void;
}

/** An observer that receives events at once, or, if it is patient, when it asks for them. */
function observerOf(isPatient: boolean, received: number[]) {
  let announced: (() => void) | undefined;
  const ask = (): void => {
    const deliver = announced;
    announced = undefined;
    deliver?.();
  };
  const observer: WatchObserver = {
    events: (batch) => received.push(...batch.map(({ revision }) => revision)),
    error: () => {},
    ...(isPatient && {
      arrived: (deliver: () => void) => {
        expect(announced).toBeUndefined();
        announced = deliver;
      },
    }),
  };
  return { observer, ask };
}

const concerns = (condition: EntryCondition, { entry, previous }: KeyValueEvent): boolean =>
  (entry !== undefined && matchesCondition(condition, entry)) ||
  (previous !== undefined && matchesCondition(condition, previous));

test('watches receive the events that match, once each and in order', async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
    const core = new MvccCore({ clock: createSteppedClock() });
    let open: Open[] = [];
    const ended: Open[] = [];
    for (const each of steps) {
      if (each.do === 'turn') await Promise.resolve();
      else if (each.do === 'watch') {
        const received: number[] = [];
        const { observer, ask } = observerOf(each.isPatient, received);
        const options = {
          afterRevision: core.revision,
          ...(each.condition && { concerning: each.condition }),
        };
        const watch = core.watch('/a/', options, observer);
        open.push({ condition: each.condition, watch, received, expected: [], ask });
      } else if (each.do === 'ask') open[each.which]?.ask();
      else if (each.do === 'end') {
        await Promise.resolve();
        open[each.which]?.ask();
        for (const one of open.splice(each.which, 1)) {
          one.watch[Symbol.dispose]();
          ended.push(one);
        }
      } else {
        if (each.value === undefined && !core.get(each.key)) continue;
        const event =
          each.value === undefined ? core.remove(each.key) : core.put(each.key, bytes(each.value));
        for (const { condition, expected } of open) {
          if (each.key.startsWith('/a/') && (!condition || concerns(condition, event)))
            expected.push(event.revision);
        }
      }
    }
    await Promise.resolve();
    for (const { ask } of open) ask();
    for (const { received, expected } of [...open, ...ended]) expect(received).toEqual(expected);
    for (const { watch } of open) watch[Symbol.dispose]();
    expect(core.usage.watches).toBe(0);
    open = [];
  });
  await fc.assert(property, { numRuns: 200 });
});

test('patient watchers that ask at the same time receive the same batch, with all events until then', async () => {
  const core = new MvccCore({ clock: createSteppedClock() });
  const batches: (readonly KeyValueEvent[])[] = [];
  const asking: (() => void)[] = [];
  const observer: WatchObserver = {
    events: (batch) => batches.push(batch),
    error: () => {},
    arrived: (deliver) => asking.push(deliver),
  };
  for (let i = 0; i < 3; i++) core.watch('/a/', { afterRevision: 1 }, observer);
  for (const value of ['x', 'y', 'z']) {
    core.put('/a/1', bytes(value));
    await Promise.resolve();
  }
  expect([asking.length, batches.length]).toEqual([3, 0]);
  for (const ask of asking.splice(0)) ask();
  expect(batches.map((batch) => batch.map(({ revision }) => revision))).toEqual([
    [2, 3, 4],
    [2, 3, 4],
    [2, 3, 4],
  ]);
  expect(new Set(batches).size).toBe(1);
  core.put('/a/1', bytes('x'));
  await Promise.resolve();
  expect([asking.length, batches[0]?.length]).toEqual([3, 3]);
});

test('a patient watcher that fails receives its events before the error, and none when it is disposed', async () => {
  const core = new MvccCore({ clock: createSteppedClock() });
  const seen: string[] = [];
  const watch = (name: string): Disposable =>
    core.watch(
      '/a/',
      { afterRevision: 1 },
      {
        events: (batch) => seen.push(`${name} ${batch.length}`),
        error: ({ message }) => seen.push(`${name} ${message}`),
        arrived: () => {},
      },
    );
  watch('open');
  const disposed = watch('disposed');
  core.put('/a/1', bytes('x'));
  await Promise.resolve();
  disposed[Symbol.dispose]();
  core.fail(new Error('over'));
  await Promise.resolve();
  expect(seen).toEqual(['open 1', 'open over']);
});

test('caches of superseded values are cleared when all patient watchers have asked', async () => {
  const core = new MvccCore({ clock: createSteppedClock() });
  const asking: (() => void)[] = [];
  const events: KeyValueEvent[] = [];
  const observer: WatchObserver = {
    events: (batch) => {
      for (const event of batch) event.memo = 'cached';
      events.push(...batch);
    },
    error: () => {},
    arrived: (deliver) => asking.push(deliver),
  };
  for (let i = 0; i < 2; i++) core.watch('/a/', { afterRevision: 1 }, observer);
  core.put('/a/1', bytes('x'));
  await Promise.resolve();
  asking[0]?.();
  await Promise.resolve();
  expect(events[0]?.memo).toBe('cached');
  asking[1]?.();
  await Promise.resolve();
  expect(events.map(({ memo }) => memo)).toEqual([undefined, undefined]);
});

test('an event visits no watcher that it does not match', async () => {
  const core = new MvccCore({ clock: createSteppedClock() });
  const received: string[] = [];
  for (let i = 0; i < 1000; i++) {
    const observer = { events: () => received.push(`${i}`), error: () => {} };
    core.watch('/a/', { afterRevision: 1, concerning: { index: byLength, anyOf: [`${i}`] } }, observer);
  }
  core.put('/a/1', bytes('xxx'));
  core.put('/a/1', bytes('xxxxx'));
  await Promise.resolve();
  expect(received).toEqual(['3', '5']);
  core.fail(new Error('over'));
  expect(core.usage.watches).toBe(0);
});

test('an unreadable entry matches every watcher, and is still written', async () => {
  const core = new MvccCore({ clock: createSteppedClock() });
  const failing: EntryIndex = {
    prefix: '/a/',
    termsOf: () => {
      throw new SyntaxError('no JSON');
    },
  };
  const received: number[] = [];
  const observer = {
    events: (batch: readonly KeyValueEvent[]) => received.push(...batch.map(({ revision }) => revision)),
    error: () => {},
  };
  core.watch('/a/', { afterRevision: 1, concerning: { index: failing, anyOf: ['x', 'y'] } }, observer);
  expect(core.put('/a/1', bytes('{')).revision).toBe(2);
  await Promise.resolve();
  expect([received, core.get('/a/1')?.revision]).toEqual([[2], 2]);
});
