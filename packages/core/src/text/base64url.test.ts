import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../errors/parse-error.ts';
import { fromBase64Url, toBase64Url } from './base64url.ts';

describe('base64url', () => {
  it('round-trips', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = toBase64Url(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64url'));
        expect(fromBase64Url(text)).toEqual(Uint8Array.from(bytes));
      }),
    );
  });

  it('skips line ends', () => {
    expect(fromBase64Url('YW\r\nJj\n')).toEqual(new TextEncoder().encode('abc'));
  });

  it.each([
    ['YQ=', 2],
    ['YQ==', 2],
    ['a+b/', 1],
    ['Y', 0],
    ['YWJjZ', 4],
    ['ü', 0],
  ])('rejects %j at byte %d', (text, position) => {
    expect(() => fromBase64Url(text)).toThrow(
      new ParseError(`illegal base64 data at input byte ${position}`),
    );
  });

  it('throws nothing but ParseError', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'Z', '0', '-', '_', '=', '\n', 'ü') }), (text) => {
        try {
          fromBase64Url(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError);
        }
      }),
    );
  });
});
