import { createSteppedClock } from '@ashlar/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../contracts/entry.ts';
import { type EntryIndex, type EntrySelection, selects } from '../contracts/entry-selection.ts';
import { MvccCore } from '../memory/mvcc-core.ts';

const text = new TextDecoder();
const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);

/** Values are terms separated by commas; some terms are prefixes of others. */
const TERMS = ['a', 'a\u0000', 'a\u0001', 'a\u0000/t/x/', 'b', ''];
const termsOf = ({ value }: Entry): string[] => text.decode(value).split(',').filter(Boolean).map(unquote);
const unquote = (term: string): string => JSON.parse(term) as string;
const textOf = (terms: readonly string[]): string => terms.map((term) => JSON.stringify(term)).join(',');

const byTerm: EntryIndex = { prefix: '/t/', termsOf };
const byLength: EntryIndex = { prefix: '/', termsOf: (entry) => [String(termsOf(entry).length)] };

const key = fc
  .record({ space: fc.constantFrom('x', 'x-1', 'y'), name: fc.nat(60) })
  .map(({ space, name }) => `/t/${space}/${name}`);
const value = fc.subarray(TERMS, { maxLength: 3 }).map(textOf);
const selection: fc.Arbitrary<EntrySelection> = fc
  .record({
    terms: fc.subarray(TERMS, { minLength: 1, maxLength: 3 }),
    lengths: fc.option(fc.subarray(['0', '1', '2', '3'], { minLength: 1 })),
    odd: fc.boolean(),
  })
  .map(({ terms, lengths, odd }) => ({
    conditions: [{ index: byTerm, anyOf: terms }, ...(lengths ? [{ index: byLength, anyOf: lengths }] : [])],
    ...(odd && { matches: (entry: Entry) => entry.revision % 2 === 1 }),
  }));
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), key, value }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fork' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('compact' as const), back: fc.nat(20) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      prefix: fc.constantFrom('/t/', '/t/x/', '/t/x/1'),
      back: fc.nat(20),
      limit: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
      selection,
    }),
  },
);
type Read = Extract<typeof step extends fc.Arbitrary<infer T> ? T : never, { do: 'read' }>;

/** All pages of a selection, each with the result of a full scan. */
function compareRead(core: MvccCore, { prefix, back, limit, selection: select }: Read): void {
  const atRevision = Math.max(core.oldest, core.revision - back);
  const all = core.range(prefix, { atRevision }).entries;
  const expected = all.filter((entry) => selects(select, entry));
  const found: Entry[] = [];
  for (let after: string | undefined; ; after = found.at(-1)?.key) {
    const page = core.range(prefix, {
      atRevision,
      select,
      ...(limit !== undefined && { limit }),
      ...(after && { after }),
    });
    found.push(...page.entries);
    const isFull = page.entries.length === limit;
    const behind = all.filter((entry) => entry.key > (found.at(-1)?.key ?? '')).length;
    expect(page.remaining).toBe(isFull ? behind : 0);
    if (page.remaining === 0) break;
  }
  expect(found.map((entry) => [entry.key, entry.revision])).toEqual(
    expected.map((entry) => [entry.key, entry.revision]),
  );
}

describe('selected ranges', () => {
  test('equal a full scan, in every retained state and every fork', () => {
    const start = fc.array(fc.tuple(key, value), { minLength: 90, maxLength: 150 });
    const property = fc.property(start, fc.array(step, { maxLength: 60 }), (entries, steps) => {
      let core = new MvccCore({ clock: createSteppedClock() });
      for (const [name, terms] of entries) core.put(name, bytes(terms));
      for (const each of steps) {
        if (each.do === 'put') core.put(each.key, bytes(each.value));
        else if (each.do === 'remove') core.get(each.key) && core.remove(each.key);
        else if (each.do === 'fork') core = core.fork();
        else if (each.do === 'compact') core.compact(core.revision - Math.min(each.back, core.revision - 1));
        else compareRead(core, each);
      }
    });
    fc.assert(property, { numRuns: 150 });
  });

  test('read only what is selected', () => {
    const core = new MvccCore({ clock: createSteppedClock() });
    for (let i = 0; i < 5000; i++) core.put(`/t/x/${i}`, bytes(textOf([i % 500 === 0 ? 'rare' : 'common'])));
    let looks = 0;
    const counted: EntryIndex = {
      prefix: '/t/',
      termsOf: (entry) => {
        looks++;
        return termsOf(entry);
      },
    };
    const read = (): number =>
      core.range('/t/', { select: { conditions: [{ index: counted, anyOf: ['rare'] }] } }).entries.length;
    expect([read(), looks]).toEqual([10, 5000]);
    core.put('/t/x/1', bytes(textOf(['rare'])));
    core.put('/u/x/1', bytes(textOf(['rare'])));
    expect([read(), looks]).toEqual([11, 5002]);
    expect(core.usage).toMatchObject({ indexes: 1, indexTerms: 5000 });
  });

  test('fail while an entry cannot be read, and no longer', () => {
    const core = new MvccCore({ clock: createSteppedClock() });
    for (let i = 0; i < 100; i++) core.put(`/t/x/${i}`, bytes(textOf(['a'])));
    const select = { conditions: [{ index: byTerm, anyOf: ['a'] }] };
    const read = (): number => core.range('/t/', { select }).entries.length;
    expect(read()).toBe(100);
    core.put('/t/x/1', bytes('{'));
    expect(read).toThrow(SyntaxError);
    core.remove('/t/x/1');
    expect(read()).toBe(99);
  });

  test('are rejected below a prefix that the index does not cover', () => {
    const core = new MvccCore({ clock: createSteppedClock() });
    const select = { conditions: [{ index: byTerm, anyOf: ['a'] }] };
    expect(() => core.range('/u/', { select })).toThrow(TypeError);
  });
});
