import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCbor } from './cbor-decode.ts';

const head = (major: number, length: number): number[] => [major * 32 + 24, length];
const whole = (major: number, bytes: readonly number[]): Uint8Array =>
  Uint8Array.from([...head(major, bytes.length), ...bytes]);
const chunked = (major: number, chunks: readonly (readonly number[])[]): Uint8Array =>
  Uint8Array.from([
    major * 32 + 31,
    ...chunks.flatMap((chunk) => [...head(major, chunk.length), ...chunk]),
    0xff,
  ]);

describe('strings in chunks', () => {
  it.each([2, 3])('are what they are as a whole: major type %d', (major) => {
    const chunk = fc.array(fc.integer({ min: 0x20, max: 0x7e }), { maxLength: 80 });
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 3 }), (chunks) => {
        expect(decodeCbor(chunked(major, chunks))).toEqual(decodeCbor(whole(major, chunks.flat())));
      }),
    );
  });

  it('of texts are valid each by itself', () => {
    expect(decodeCbor(chunked(3, [[0xc3, 0xa4], [], [0x61]]))).toEqual(
      decodeCbor(whole(3, [0xc3, 0xa4, 0x61])),
    );
    expect(() => decodeCbor(chunked(3, [[0xc3], [0xa4]]))).toThrow('UTF-8');
  });
});
