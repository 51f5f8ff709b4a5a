import { ObjectRecord } from '@ashlar/storage';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { EncodingBudget } from './encoding-budget.ts';
import { EncodingCache } from './encoding-cache.ts';

const codec = { encode: () => new Uint8Array(0), decode: () => ({ kind: '', apiVersion: '', metadata: {} }) };
const recordOf = (revision: number): ObjectRecord =>
  new ObjectRecord('/k', revision, new Uint8Array(0), codec);

/** Encodes to a thousand bytes, and records the call. */
function maker(): { made: number[]; make(record: ObjectRecord): Uint8Array } {
  const made: number[] = [];
  return {
    made,
    make({ revision }) {
      made.push(revision);
      return new Uint8Array(1000).fill(revision);
    },
  };
}

describe('EncodingCache', () => {
  it('encodes once what the budget admits', () => {
    const retained = new EncodingCache(new EncodingBudget(1_000_000));
    const { made, make } = maker();
    const records = [1, 2, 3].map(recordOf);
    const first = records.map((record) => retained.getOrEncode(record, make));
    expect(records.map((record) => retained.getOrEncode(record, make))).toEqual(first);
    expect(records.map((record) => retained.get(record))).toEqual(first);
    expect(made).toEqual([1, 2, 3]);
  });

  it('distinguishes records of the same key', () => {
    const retained = new EncodingCache(new EncodingBudget(1_000_000));
    const { make } = maker();
    expect(retained.getOrEncode(recordOf(1), make)[0]).toBe(1);
    expect(retained.getOrEncode(recordOf(2), make)[0]).toBe(2);
    expect(retained.get(recordOf(1))).toBeUndefined();
  });

  it('keeps the half that is read again when the generations rotate', () => {
    const retained = new EncodingCache(new EncodingBudget(2 * 1200 * 16));
    const { made, make } = maker();
    const records = Array.from({ length: 16 }, (_, i) => recordOf(i));
    for (const record of records) retained.getOrEncode(record, make);
    made.length = 0;
    const often = records.slice(0, 3);
    for (let round = 0; round < 5; round++) for (const record of often) retained.getOrEncode(record, make);
    expect(made).toEqual([]);
    for (const record of Array.from({ length: 12 }, (_, i) => recordOf(100 + i)))
      retained.getOrEncode(record, make);
    made.length = 0;
    for (const record of often) retained.getOrEncode(record, make);
    expect(made).toEqual([]);
  });

  it('returns the room of encodings that are replaced', () => {
    const budget = new EncodingBudget(2 * 1200 * 16);
    const [replaced, other] = [new EncodingCache(budget), new EncodingCache(budget)];
    const record = recordOf(1);
    for (let i = 0; i < 1000; i++) replaced.set(record, new Uint8Array(1000));
    const records = Array.from({ length: 15 }, (_, i) => recordOf(100 + i));
    for (const each of records) other.getOrEncode(each, () => new Uint8Array(1000));
    expect(records.filter((each) => other.get(each))).toHaveLength(15);
    expect(replaced.get(record)).toHaveLength(1000);
  });

  it('does not return the room of the old generation, which has none', () => {
    const budget = new EncodingBudget(2 * 1200 * 4);
    const cache = new EncodingCache(budget);
    const rotate = vi.spyOn(cache, 'rotate');
    const set = (revisions: readonly number[]): void => {
      for (const revision of revisions) cache.set(recordOf(revision), new Uint8Array(1000));
    };
    const first = recordOf(0);
    cache.set(first, new Uint8Array(1000));
    set([1, 2, 3, 4]);
    expect(rotate).toHaveBeenCalledTimes(1);
    cache.set(first, new Uint8Array(1000));
    set([5, 6]);
    expect(rotate).toHaveBeenCalledTimes(1);
    set([7]);
    expect(rotate).toHaveBeenCalledTimes(2);
  });

  it('returns the encoding of the record, cached or not', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20_000 }),
        fc.array(fc.integer({ min: 0, max: 30 })),
        (bytes, asked) => {
          const retained = new EncodingCache(new EncodingBudget(bytes));
          const { make } = maker();
          const records = Array.from({ length: 31 }, (_, i) => recordOf(i));
          for (const i of asked) expect(retained.getOrEncode(records[i] as ObjectRecord, make)[999]).toBe(i);
        },
      ),
    );
  });
});
