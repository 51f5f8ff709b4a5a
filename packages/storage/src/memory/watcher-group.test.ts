import { createSteppedClock } from '@ashlar/core/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EntryCondition, type EntryIndex, matchesCondition } from '../contracts/entry-selection.ts';
import type { KeyValueEvent } from '../contracts/key-value-store.ts';
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
  { weight: 2, arbitrary: fc.record({ do: fc.constant('watch' as const), condition }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.nat(10) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('turn' as const) }) },
);

interface Open {
  readonly condition: EntryCondition | undefined;
  readonly watch: Disposable;
  readonly received: number[];
  readonly expected: number[];
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
        const watch = core.watch(
          '/a/',
          { afterRevision: core.revision, ...(each.condition && { concerning: each.condition }) },
          { events: (batch) => received.push(...batch.map(({ revision }) => revision)), error: () => {} },
        );
        open.push({ condition: each.condition, watch, received: received, expected: [] });
      } else if (each.do === 'end') {
        await Promise.resolve();
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
    for (const { received, expected } of [...open, ...ended]) expect(received).toEqual(expected);
    for (const { watch } of open) watch[Symbol.dispose]();
    expect(core.usage.watches).toBe(0);
    open = [];
  });
  await fc.assert(property, { numRuns: 200 });
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
