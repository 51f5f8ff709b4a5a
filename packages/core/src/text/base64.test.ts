import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../errors/parse-error.ts';
import { canonicalBase64, decodeBase64, encodeBase64 } from './base64.ts';

describe('base64', () => {
  it('round-trips', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = encodeBase64(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64'));
        expect(decodeBase64(text)).toEqual(Uint8Array.from(bytes));
      }),
    );
  });

  it('encodes more bytes than a call has arguments', () => {
    const bytes = new Uint8Array(400_000).fill(0xc3);
    expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
  });

  it('skips line ends', () => {
    expect(decodeBase64('YW\r\nJj\n')).toEqual(new TextEncoder().encode('abc'));
  });

  it('is read from lines of any length', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.array(fc.constantFrom('\n', '\r', '\r\n', '')), (bytes, ends) => {
        const text = encodeBase64(bytes);
        const lines = [...text]
          .map((character, i) => character + (ends[i % (ends.length || 1)] ?? ''))
          .join('');
        expect(canonicalBase64(lines)).toBe(text);
        expect(decodeBase64(lines)).toEqual(Uint8Array.from(bytes));
      }),
    );
  });

  it('names a character beyond ASCII among lines', () => {
    expect(() => decodeBase64('YW\nä=')).toThrow(new ParseError('illegal base64 data at input byte 3'));
  });

  it('is returned unchanged when canonical, and made so otherwise', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = encodeBase64(bytes);
        expect(canonicalBase64(text)).toBe(text);
        expect(canonicalBase64(`\n${text}\r\n`)).toBe(text);
      }),
    );
    fc.assert(
      fc.property(fc.base64String(), (text) => {
        expect(canonicalBase64(text)).toBe(encodeBase64(decodeBase64(text)));
      }),
    );
  });

  it.each([
    ['YQ', 0],
    ['YQ=', 3],
    ['YW=j', 2],
    ['YWJjY', 4],
    ['YQ==YQ==', 4],
    ['!', 0],
    ['YW!=', 2],
  ])('%s is bad at %i', (text, at) => {
    const error = new ParseError(`illegal base64 data at input byte ${at}`);
    expect(() => canonicalBase64(text)).toThrow(error);
    expect(() => decodeBase64(text)).toThrow(error);
  });

  it('names the first byte that other decoders refuse', () => {
    const faultOf = (text: string): string | undefined => {
      try {
        decodeBase64(text);
        return undefined;
      } catch (error) {
        return (error as Error).message.replace('illegal base64 data at input byte ', '');
      }
    };
    expect(['A', 'AB\nCDE', 'A\r\nB*', 'A=', 'AB=C', 'AB=\n', 'ABC=D', '\n\n='].map(faultOf)).toEqual([
      '0',
      '5',
      '4',
      '1',
      '2',
      '4',
      '4',
      '2',
    ]);
  });
});
