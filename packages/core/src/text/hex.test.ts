import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toHex } from './hex.ts';

it('encodes bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(toHex(bytes)).toBe(Buffer.from(bytes).toString('hex'));
    }),
  );
});
