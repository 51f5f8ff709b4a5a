import { createSteppedClock } from '@ashlar/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../contracts/entry.ts';
import type { EntryIndex } from '../contracts/entry-selection.ts';
import type { RangeOptions } from '../contracts/key-value-store.ts';
import { MvccCore } from './mvcc-core.ts';

const termOf = ({ value }: Entry): string => String(value[0]);
const byTerm: EntryIndex = { prefix: '/a/', termsOf: (entry) => [termOf(entry)] };
const oddOnes = { conditions: [{ index: byTerm, anyOf: ['1', 'none'] }] };
const value = (term: number): Uint8Array => Uint8Array.of(term);
const keyOf = (i: number): string => `/${'ab'[i % 2]}/${String(i).padStart(4, '0')}`;

/** Has 300 entries each below `/a/` and `/b/`; every second one has the term 1. */
function filledCore(): MvccCore {
  const core = new MvccCore({ clock: createSteppedClock() });
  for (let i = 0; i < 600; i++) core.put(keyOf(i), value((i >> 1) % 2));
  return core;
}

const keys = ({ entries }: { entries: readonly Entry[] }): string[] =>
  entries.map(({ key, revision }) => `${key}@${revision}`);

describe('shared entries', () => {
  test.each<[string, RangeOptions]>([
    ['of a prefix', {}],
    ['of its first page', { limit: 200 }],
    ['of a selection', { select: oddOnes }],
  ])('%s are the same object until one of them changes', (_, options) => {
    const core = filledCore();
    const { shared, entries } = core.range('/a/', options);
    expect(shared?.entries).toBe(entries);
    core.put('/b/0001', value(1));
    expect(core.range('/a/', { limit: 300, ...options }).shared).toBe(shared);
    core.put('/a/0002', value(1));
    const changed = core.range('/a/', options);
    expect(changed.shared).not.toBe(shared);
    expect(changed.entries.find(({ key }) => key === '/a/0002')?.revision).toBe(core.revision);
    core.remove('/a/0002');
    expect(keys(core.range('/a/', options)).join()).not.toContain('/a/0002');
  });

  test('of a selection outlive changes of what is not selected', () => {
    const core = filledCore();
    const { shared } = core.range('/a/', { select: oddOnes });
    core.put('/a/0000', value(0));
    expect(core.range('/a/', { select: oddOnes }).shared).toBe(shared);
  });

  test('of a first page change with what remains behind it', () => {
    const core = filledCore();
    const page = core.range('/a/', { limit: 200 });
    core.put('/a/1000', value(0));
    expect([page.remaining, core.range('/a/', { limit: 200 }).remaining]).toEqual([100, 101]);
    expect(core.range('/a/', { limit: 201 }).entries).toHaveLength(201);
  });

  test('are absent from later pages, past states, few entries and combined conditions', () => {
    const core = filledCore();
    const { revision } = core;
    core.put('/a/0000', value(1));
    const two = { conditions: [{ index: byTerm, anyOf: ['0', '1'] }] };
    const matched = { ...oddOnes, matches: () => true };
    for (const options of [
      { limit: 127 },
      { after: '/a/0000' },
      { atRevision: revision },
      { atRevision: revision, select: oddOnes },
      { limit: 10, select: oddOnes },
      { select: two },
      { select: matched },
    ]) {
      core.range('/a/');
      expect(core.range('/a/', options)).not.toHaveProperty('shared');
    }
    expect(core.range('/a/0000')).not.toHaveProperty('shared');
  });

  test('equal what is stored, after any writes to any side of a fork', () => {
    const write = fc.record({ at: fc.nat(599), term: fc.constantFrom(0, 1, undefined), fork: fc.boolean() });
    const property = fc.property(fc.array(write, { maxLength: 30 }), (writes) => {
      const sides = [filledCore()];
      for (const { at, term, fork } of writes) {
        const core = sides[at % sides.length] as MvccCore;
        if (fork) sides.push(core.fork());
        if (term !== undefined) core.put(keyOf(at), value(term));
        else if (core.get(keyOf(at))) core.remove(keyOf(at));
        for (const side of sides) {
          const all = Array.from({ length: 600 }, (_, i) => side.get(keyOf(i))).filter(
            (entry) => entry !== undefined,
          );
          const below = all.filter(({ key }) => key.startsWith('/a/'));
          expect(keys(side.range('/a/'))).toEqual(keys({ entries: below }));
          expect(keys(side.range('/a/', { limit: 150 }))).toEqual(keys({ entries: below.slice(0, 150) }));
          const odd = below.filter((entry) => termOf(entry) === '1');
          expect(keys(side.range('/a/', { select: oddOnes }))).toEqual(keys({ entries: odd }));
        }
      }
    });
    fc.assert(property, { numRuns: 40 });
  });

  test('are sixteen at most', () => {
    const core = new MvccCore({ clock: createSteppedClock() });
    for (let i = 0; i < 17 * 128; i++) core.put(`/p${i % 17}/${i}`, value(0));
    const first = core.range('/p0/').shared;
    for (let i = 1; i < 17; i++) core.range(`/p${i}/`);
    expect(first).toBeDefined();
    expect(core.range('/p0/').shared).not.toBe(first);
  });
});
