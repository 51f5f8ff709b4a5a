import { createManualClock } from '@ashlar/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEntryTree, rankOf } from './entry-tree.ts';
import type { Entry } from './key-value-store.ts';
import { RevisionCompactedError } from './key-value-store.ts';
import { MvccCore } from './mvcc-core.ts';

const VALUE = new Uint8Array();

/** Writes or removes one of a hundred keys, as the numbers say, and gives the state after every revision. */
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

describe('MVCC core', () => {
  test('rebuilds any state over many checkpoints, on both sides of a fork', () => {
    const numbers = fc.array(fc.nat(10_000), { minLength: 800, maxLength: 1500, size: 'max' });
    const property = fc.property(
      numbers,
      numbers,
      fc.array(fc.nat(), { maxLength: 60, size: 'max' }),
      (a, b, at) => {
        const core = new MvccCore({ clock: createManualClock() });
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

  test('holds no more events than its limit', () => {
    const core = new MvccCore({ clock: createManualClock(), historyLimit: 1000 });
    const states = play(
      core,
      Array.from({ length: 3000 }, (_, i) => i * 7),
    );
    expect(view(core, core.revision - 1000)).toBe(states.get(core.revision - 1000));
    expect(() => view(core, core.revision - 1001)).toThrow(RevisionCompactedError);
  });

  test('rank counts the keys before a key', () => {
    const keys = fc.uniqueArray(fc.string(), { maxLength: 400, size: 'max' });
    fc.assert(
      fc.property(keys, keys, (there, asked) => {
        const tree = createEntryTree(there.map((key): Entry => ({ key, value: VALUE, revision: 1 })));
        for (const gone of asked.slice(0, 50)) tree.delete(gone);
        const left = there.filter((key) => !asked.slice(0, 50).includes(key));
        for (const key of [...asked, ...there]) {
          expect(rankOf(tree, key)).toBe(left.filter((other) => other < key).length);
        }
      }),
      { numRuns: 20 },
    );
  });
});
