import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteGatherer } from './byte-gatherer.ts';

describe('ByteGatherer', () => {
  it('joins pieces of any sizes in their order', () => {
    const sizes = fc.array(fc.oneof(fc.nat(5), fc.nat(3000), fc.constantFrom(1024, 1025, 16_384)), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(sizes, (all) => {
        const gatherer = new ByteGatherer();
        const expected: number[] = [];
        for (const [index, size] of all.entries()) {
          gatherer.add(new Uint8Array(size).fill(index + 1));
          for (let i = 0; i < size; i++) expected.push(index + 1);
        }
        expect(gatherer.length).toBe(expected.length);
        expect([...gatherer.toBytes()]).toEqual(expected);
      }),
    );
  });

  it('returns a single piece as it is', () => {
    const piece = Uint8Array.of(1, 2);
    const gatherer = new ByteGatherer();
    gatherer.add(piece);
    expect(gatherer.toBytes()).toBe(piece);
    expect(new ByteGatherer().toBytes()).toHaveLength(0);
  });

  it('holds few pieces of memory for many small pieces', () => {
    const gatherer = new ByteGatherer();
    for (let i = 0; i < 300_000; i++) gatherer.add(Uint8Array.of(i));
    expect(gatherer.pieces).toBeLessThan(30);
    const alternating = new ByteGatherer();
    for (let i = 0; i < 1000; i++) {
      alternating.add(Uint8Array.of(i));
      alternating.add(new Uint8Array(2000));
    }
    expect(alternating.toBytes()).toHaveLength(2_001_000);
  });
});
