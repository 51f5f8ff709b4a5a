import fc from 'fast-check';
import { expect, it } from 'vitest';
import { concatenateBytes } from './concatenate-bytes.ts';

it('returns the bytes of all parts in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array()), (parts) => {
      const expected = parts.flatMap((part) => [...part]);
      expect([...concatenateBytes(parts)]).toEqual(expected);
      expect([...concatenateBytes(parts, expected.length)]).toEqual(expected);
    }),
  );
});

it('does not return the memory of a part', () => {
  const part = new Uint8Array([1]);
  expect(concatenateBytes([part])).not.toBe(part);
});
