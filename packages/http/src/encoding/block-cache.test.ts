import { runAtOnce, type Steps } from '@ashlar/core';
import type { ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlockCache, type Validity } from './block-cache.ts';
import { concatenated } from './concatenated.ts';
import { EncodingBudget } from './encoding-budget.ts';

const codec = { encode: () => new Uint8Array(0), decode: () => ({ kind: '', apiVersion: '', metadata: {} }) };
const recordOf = (revision: number, bytes = 100): ObjectRecord =>
  new ObjectRecord(`/${revision}`, revision, new Uint8Array(bytes), codec);
const recordsOf = (from: number, to: number): ObjectRecord[] =>
  Array.from({ length: to - from }, (_, i) => recordOf(from + i));

/** Encodes records as their revision, and records the calls. */
function encoderOf(validity?: Validity) {
  const encoded: number[] = [];
  const encode = (result: ResultObject): Uint8Array => {
    const { revision } = result as ObjectRecord;
    encoded.push(revision);
    return text(`${revision};`);
  };
  return { encoded, encoder: { encode, ...(validity && { validity }) } };
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const joined = (pieces: readonly Uint8Array[]): string => new TextDecoder().decode(concatenated(pieces));
const expected = (items: readonly ResultObject[]): string =>
  items.map((item) => `${(item as ObjectRecord).revision};`).join('');

describe('BlockCache', () => {
  it('encodes a list in few pieces, and again without encoding an item', () => {
    const cache = new BlockCache(new EncodingBudget());
    const { encoded, encoder } = encoderOf();
    const items = recordsOf(1, 501);
    const pieces = runAtOnce(cache.encodeSteps({ items }, encoder));
    expect(joined(pieces)).toBe(expected(items));
    expect(pieces.length).toBeLessThan(20);
    expect(joined(runAtOnce(cache.encodeSteps({ items }, encoder)))).toBe(expected(items));
    expect(encoded).toHaveLength(500);
  });

  it('encodes only the item that was changed', () => {
    const cache = new BlockCache(new EncodingBudget());
    const { encoded, encoder } = encoderOf();
    const items = recordsOf(1, 501);
    runAtOnce(cache.encodeSteps({ items }, encoder));
    encoded.length = 0;
    items[250] = recordOf(1001);
    expect(joined(runAtOnce(cache.encodeSteps({ items }, encoder)))).toBe(expected(items));
    expect(encoded).toEqual([1001]);
  });

  it('shares blocks with lists that begin elsewhere', () => {
    const cache = new BlockCache(new EncodingBudget());
    const { encoded, encoder } = encoderOf();
    const items = recordsOf(1, 501);
    runAtOnce(cache.encodeSteps({ items }, encoder));
    encoded.length = 0;
    runAtOnce(cache.encodeSteps({ items: items.slice(10) }, encoder));
    expect(encoded).toEqual(items.slice(10, 32).map(({ revision }) => revision));
  });

  it('shares single items between lists by selectors', () => {
    const cache = new BlockCache(new EncodingBudget());
    const { encoded, encoder } = encoderOf();
    const all = recordsOf(1, 101);
    for (const step of [2, 3, 6]) {
      const items = all.filter((_, i) => i % step === 0);
      const pieces = runAtOnce(cache.encodeSteps({ items, isSelected: true }, encoder));
      expect(joined(pieces)).toBe(expected(items));
    }
    expect(encoded).toHaveLength(67);
  });

  it.each([true, false])(
    'returns a list as a whole that is read again unchanged (selected: %s)',
    (isSelected) => {
      const cache = new BlockCache(new EncodingBudget());
      const { encoded, encoder } = encoderOf();
      const list = { items: recordsOf(1, 501), isSelected, identity: {} };
      const counts = [1, 2, 3, 4].map(() => {
        const whole = cache.hasWhole(list);
        const pieces = runAtOnce(cache.encodeSteps(list, encoder));
        expect(joined(pieces)).toBe(expected(list.items));
        const { length } = pieces;
        // what a caller adds is not in the next list
        pieces.push(text('other'));
        return [whole, length === 1];
      });
      expect(counts).toEqual([
        [false, false],
        [false, true],
        [true, true],
        [true, true],
      ]);
      expect(encoded).toHaveLength(500);
    },
  );

  it('caches no list as a whole whose encoding depends on the time, or that is larger than the budget', () => {
    const items = recordsOf(1, 501);
    const list = { items, identity: {} };
    const timed = new BlockCache(new EncodingBudget());
    const small = new BlockCache(new EncodingBudget(1000));
    for (let i = 0; i < 3; i++) {
      const validity = { now: 0, until: 0 };
      runAtOnce(timed.encodeSteps(list, encoderOf(validity).encoder));
      expect(joined(runAtOnce(small.encodeSteps(list, encoderOf().encoder)))).toBe(expected(items));
    }
    expect([timed.hasWhole(list), small.hasWhole(list)]).toEqual([false, false]);
  });

  it('divides a whole list into pieces of about a megabyte', () => {
    const cache = new BlockCache(new EncodingBudget());
    const encode = () => new Uint8Array(300_000);
    const list = { items: recordsOf(1, 11), isSelected: true, identity: {} };
    runAtOnce(cache.encodeSteps(list, { encode }));
    const pieces = runAtOnce(cache.encodeSteps(list, { encode }));
    expect(pieces.map(({ length }) => length)).toEqual([900_000, 900_000, 900_000, 300_000]);
  });

  it('encodes anew what is no longer valid', () => {
    const cache = new BlockCache(new EncodingBudget());
    const items = recordsOf(1, 4);
    const encodeAt = (now: number, until: number): number => {
      const validity = { now, until };
      const { encoded, encoder } = encoderOf(validity);
      const encode = (result: ResultObject): Uint8Array => {
        validity.until = Math.min(validity.until, until);
        return encoder.encode(result);
      };
      runAtOnce(cache.encodeSteps({ items }, { ...encoder, encode }));
      return encoded.length;
    };
    expect(encodeAt(1000, 2000)).toBe(3);
    expect(encodeAt(1999, 5000)).toBe(0);
    expect(encodeAt(2000, 3000)).toBe(3);
    expect(encodeAt(1999, 2000)).toBe(3);
    // the list of the earlier moment has left the later blocks in place
    expect(encodeAt(2500, 3000)).toBe(0);
    // a clock that was set back
    expect(encodeAt(2500 - 3_600_000, 3000)).toBe(3);
    expect(encodeAt(2500 - 3_600_000, 3000)).toBe(0);
  });

  it('pauses between the bytes of a stride', () => {
    const cache = new BlockCache(new EncodingBudget());
    const { encoder } = encoderOf();
    const items = Array.from({ length: 10 }, (_, i) => recordOf(i + 1, 100_000));
    const steps = cache.encodeSteps({ items }, { ...encoder, stride: 300_000 });
    let pauses = 0;
    while (!steps.next().done) pauses++;
    expect(pauses).toBe(3);
  });

  it.each([true, false])('encodes large records with pauses, once (selected: %s)', (isSelected) => {
    const cache = new BlockCache(new EncodingBudget());
    const { encoded, encoder } = encoderOf();
    const large: number[] = [];
    const encodeSteps = function* (record: ObjectRecord): Steps<Uint8Array> {
      yield;
      yield;
      large.push(record.revision);
      return text(`${record.revision};`);
    };
    const items = [1, 2, 3, 4, 5].map((revision) => recordOf(revision, revision % 2 ? 100 : 100_000));
    const steps = cache.encodeSteps({ items, isSelected }, { ...encoder, encodeSteps });
    // two of each large one, and between them and the others
    expect([...steps]).toHaveLength(8);
    expect(joined(runAtOnce(cache.encodeSteps({ items, isSelected }, { ...encoder, encodeSteps })))).toBe(
      '1;2;3;4;5;',
    );
    expect([encoded, large]).toEqual([
      [1, 3, 5],
      [2, 4],
    ]);
  });

  it('returns the items of every list after any writes, within any budget', () => {
    const list = fc.record({
      from: fc.constantFrom(0, 0, 7, 80),
      length: fc.nat(150),
      isSelected: fc.boolean(),
    });
    const write = fc.record({ at: fc.nat(119), remove: fc.boolean() });
    fc.assert(
      fc.property(fc.array(fc.oneof(list, write)), fc.constantFrom(0, 5_000, 100_000), (commands, bytes) => {
        const cache = new BlockCache(new EncodingBudget(bytes));
        const { encoder } = encoderOf();
        const state = recordsOf(1, 121);
        let revision = 120;
        const identities = new Map<string, object>();
        for (const command of commands) {
          if ('at' in command) {
            revision++;
            if (command.remove) state.splice(command.at, 1);
            else state[Math.min(command.at, state.length)] = recordOf(revision);
            continue;
          }
          const { from, length, isSelected } = command;
          const items = state.slice(from, from + length).filter((_, i) => !isSelected || i % 3 === 0);
          const identity = identities.get(expected(items)) ?? {};
          identities.set(expected(items), identity);
          const pieces = runAtOnce(cache.encodeSteps({ items, isSelected, identity }, encoder));
          expect(joined(pieces)).toBe(expected(items));
        }
      }),
    );
  });
});
