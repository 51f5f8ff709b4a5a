import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from './sha256.ts';

describe('sha256Hex', () => {
  it('gives the published digests', () => {
    expect(sha256Hex(new TextEncoder().encode('abc'))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(sha256Hex(new Uint8Array(0))).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });

  it('agrees with the platform for every length', () => {
    const byPlatform = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(sha256Hex(bytes)).toBe(byPlatform(bytes));
      }),
    );
    for (let length = 50; length < 70; length++) {
      const bytes = new Uint8Array(length).fill(length);
      expect(sha256Hex(bytes)).toBe(byPlatform(bytes));
    }
  });
});
