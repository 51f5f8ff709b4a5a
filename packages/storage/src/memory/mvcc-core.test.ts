import { createSteppedClock } from '@ashlar/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../contracts/entry.ts';
import type { KeyValueEvent } from '../contracts/key-value-store.ts';
import { RevisionCompactedError } from '../contracts/key-value-store.ts';
import { createEntryTree, entryAt, rankOf } from './entry-tree.ts';
import { deleteEvent, MvccCore, putEvent } from './mvcc-core.ts';

const VALUE = new Uint8Array();

/** Writes or removes one of a hundred keys, as the numbers say, and returns the state after every revision. */
function play(core: MvccCore, numbers: readonly number[]): Map<number, string> {
  const states = new Map([[core.revision, view(core)]]);
  for (const number of numbers) {
    const key = `/k/${number % 100}`;
    if (number % 3 === 0 && core.get(key)) core.remove(key);
    else core.put(key, VALUE);
    states.set(core.revision, view(core));
  }
  return states;
}

const view = (core: MvccCore, atRevision?: number): string =>
  core
    .range('', atRevision === undefined ? {} : { atRevision })
    .entries.map((entry) => `${entry.key}@${entry.revision}`)
    .join();

/** Events of another store: the key is deleted if it exists, for every third revision. */
function toEvent(core: MvccCore, key: string, revision: number): KeyValueEvent {
  const previous = core.get(key);
  return previous && revision % 3 === 0
    ? deleteEvent({ ...previous }, revision)
    : putEvent(key, VALUE, revision, previous && { ...previous });
}

describe('MVCC core', () => {
  test('reconstructs any state over many checkpoints, on both sides of a fork', () => {
    const numbers = fc.array(fc.nat(10_000), { minLength: 800, maxLength: 1500, size: 'max' });
    const property = fc.property(
      numbers,
      numbers,
      fc.array(fc.nat(), { maxLength: 60, size: 'max' }),
      (a, b, at) => {
        const core = new MvccCore({ clock: createSteppedClock() });
        const before = play(core, a);
        const fork = core.fork();
        const sides = [
          { side: core, states: new Map([...before, ...play(core, b)]) },
          { side: fork, states: new Map([...before, ...play(fork, a)]) },
        ];
        for (const { side, states } of sides) {
          for (const number of at) {
            const revision = 1 + (number % side.revision);
            expect(view(side, revision)).toBe(states.get(revision));
          }
        }
      },
    );
    fc.assert(property, { numRuns: 5 });
  });

  test('retains no more events than its limit', () => {
    const core = new MvccCore({ clock: createSteppedClock(), historyLimit: 1000 });
    const states = play(
      core,
      Array.from({ length: 3000 }, (_, i) => i * 7),
    );
    expect(view(core, core.revision - 1000)).toBe(states.get(core.revision - 1000));
    expect(() => view(core, core.revision - 1001)).toThrow(RevisionCompactedError);
  });

  test('follows another store over gaps and revisions with several events', () => {
    const steps = fc.array(
      fc.record({ gap: fc.integer({ min: 1, max: 5 }), keys: fc.array(fc.nat(30), { maxLength: 4 }) }),
      { minLength: 400, maxLength: 900, size: 'max' },
    );
    const property = fc.property(steps, fc.integer({ min: 1, max: 2000 }), (steps, limit) => {
      const core = new MvccCore({ clock: createSteppedClock(), historyLimit: limit });
      const states = new Map([[1, '']]);
      let events = 0;
      for (const { gap, keys } of steps) {
        const revision = core.revision + gap;
        for (let passed = core.revision + 1; passed < revision; passed++) states.set(passed, view(core));
        const batch = [...new Set(keys)].map((number) => toEvent(core, `/k/${number}`, revision));
        events += batch.length;
        core.follow(batch);
        core.follow(batch);
        core.advance(revision);
        states.set(revision, view(core));
      }
      expect(core.usage.historyEvents).toBeLessThanOrEqual(limit);
      expect(core.usage.historyEvents).toBeGreaterThan(Math.min(events, limit) - 4);
      for (let revision = core.oldest; revision <= core.revision; revision++) {
        expect(view(core, revision)).toBe(states.get(revision));
      }
      expect(() => view(core, core.oldest - 1)).toThrow(RevisionCompactedError);
    });
    fc.assert(property, { numRuns: 5 });
  });

  test('reports progress to watches that support it, after the events', async () => {
    const core = new MvccCore({ clock: createSteppedClock() });
    const received: string[] = [];
    const observer = {
      events: (batch: readonly KeyValueEvent[]) =>
        void received.push(...batch.map((event) => `${event.revision}`)),
      progress: (revision: number) => void received.push(`up to ${revision}`),
      error: () => {},
    };
    core.watch('/k/', { afterRevision: 1 }, observer);
    core.watch('/k/', { afterRevision: 9 }, observer);
    core.reportProgress();
    core.follow([toEvent(core, '/k/1', 4)]);
    core.advance(7);
    core.reportProgress();
    await Promise.resolve();
    expect(received).toEqual(['4', 'up to 7']);
    expect(core.usage).toMatchObject({ revision: 7, entries: 1, historyEvents: 1, watches: 2 });
  });

  test('rank counts the keys before a key, and an entry is found by its key', () => {
    const keys = fc.uniqueArray(fc.string(), { maxLength: 400, size: 'max' });
    fc.assert(
      fc.property(keys, keys, (there, asked) => {
        const tree = createEntryTree(there.map((key): Entry => ({ key, value: VALUE, revision: 1 })));
        for (const gone of asked.slice(0, 50)) tree.delete(gone);
        const left = there.filter((key) => !asked.slice(0, 50).includes(key));
        for (const key of [...asked, ...there]) {
          expect(rankOf(tree, key)).toBe(left.filter((other) => other < key).length);
          expect(entryAt(tree, key)?.key).toBe(left.includes(key) ? key : undefined);
        }
      }),
      { numRuns: 20 },
    );
  });
});
