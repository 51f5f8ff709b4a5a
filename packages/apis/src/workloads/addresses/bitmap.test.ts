import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Bitmap } from './bitmap.ts';

const random = (first: number) => ({
  bytes(into: Uint8Array): Uint8Array {
    new DataView(into.buffer).setUint32(0, first);
    return into;
  },
});

it('is a set of numbers, also after it was stored', () => {
  const numbers = fc.array(fc.record({ index: fc.nat(299), adds: fc.boolean() }));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), numbers, (size, changes) => {
      let bitmap = new Bitmap(size);
      const model = new Set<number>();
      for (const { index, adds } of changes.filter(({ index }) => index < size)) {
        if (adds) model.add(index);
        else model.delete(index);
        if (adds) bitmap.add(index);
        else bitmap.delete(index);
        bitmap = new Bitmap(size, bitmap.text);
      }
      expect([...bitmap.values()]).toEqual([...model].sort((a, b) => a - b));
    }),
  );
});

it('finds each free number, the reserved ones last', () => {
  const cases = fc.record({
    size: fc.integer({ min: 1, max: 200 }),
    reserved: fc.nat(40),
    draws: fc.array(fc.nat(), { minLength: 200, maxLength: 200 }),
  });
  fc.assert(
    fc.property(cases, ({ size, reserved, draws }) => {
      const bitmap = new Bitmap(size);
      const found: number[] = [];
      for (const draw of draws.slice(0, size)) {
        const free = bitmap.free(reserved, random(draw)) as number;
        bitmap.add(free);
        found.push(free);
      }
      expect(new Set(found).size).toBe(size);
      const open = Math.max(0, size - reserved);
      expect(found.slice(0, open).every((index) => index >= reserved)).toBe(true);
      expect(bitmap.free(reserved, random(7))).toBeUndefined();
    }),
    { numRuns: 30 },
  );
});
