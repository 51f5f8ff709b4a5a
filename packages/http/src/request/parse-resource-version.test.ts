import { StatusError } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseResourceVersion } from './parse-resource-version.ts';

describe('parseResourceVersion', () => {
  it('parses a number, and undefined for nothing', () => {
    expect([undefined, '', '0', '007', '12'].map(parseResourceVersion)).toEqual([
      undefined,
      undefined,
      0,
      7,
      12,
    ]);
  });

  it('accepts every number of 64 bits, and nothing else', () => {
    const any = fc.oneof(fc.bigInt({ min: -5n, max: 2n ** 65n }).map(String), fc.string());
    fc.assert(
      fc.property(any, (text) => {
        const fits = text === '' || (/^\d+$/.test(text) && BigInt(text) < 2n ** 64n);
        if (fits) expect(parseResourceVersion(text)).toBe(text === '' ? undefined : Number(text));
        else expect(() => parseResourceVersion(text)).toThrow(StatusError);
      }),
    );
    expect(parseResourceVersion(String(2n ** 64n - 1n))).toBe(2 ** 64);
    expect(parseResourceVersion(`${'0'.repeat(50)}1`)).toBe(1);
  });
});
