import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../errors/parse-error.ts';
import { type DerValue, readDer } from './der.ts';

/** Writes a value with the shortest length. */
function write(tag: number, content: readonly number[]): number[] {
  const { length } = content;
  if (length < 0x80) return [tag, length, ...content];
  return length < 0x100
    ? [tag, 0x81, length, ...content]
    : [tag, 0x82, length >> 8, length & 255, ...content];
}

const { tree } = fc.letrec<{ tree: number[] }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc
      .tuple(fc.constantFrom(0x02, 0x04, 0x0c), fc.array(fc.nat(255), { maxLength: 400 }))
      .map(([tag, bytes]) => write(tag, bytes)),
    fc
      .tuple(fc.constantFrom(0x30, 0x31, 0xa0), fc.array(tie('tree'), { maxLength: 4 }))
      .map(([tag, parts]) => write(tag, parts.flat())),
  ),
}));

const written = ({ tag, content, children }: DerValue): number[] =>
  write(tag, children.length > 0 ? children.flatMap(written) : [...content]);

describe('readDer', () => {
  it('rejects more values than a certificate has', () => {
    const values = Array.from({ length: 20_000 }, () => [0x05, 0]).flat();
    const sequence = [0x30, 0x83, values.length >> 16, (values.length >> 8) & 255, values.length & 255];
    const one = [...sequence, ...values];
    expect(readDer(Uint8Array.from(one)).children).toHaveLength(20_000);
    const length = 2 * one.length;
    const two = [0x30, 0x83, length >> 16, (length >> 8) & 255, length & 255, ...one, ...one];
    expect(() => readDer(Uint8Array.from(two))).toThrow(new ParseError('too many values'));
  });

  it('parses what was written', () => {
    fc.assert(
      fc.property(tree, (bytes) => {
        expect(written(readDer(Uint8Array.from(bytes)))).toEqual(bytes);
      }),
    );
  });

  it.each([
    ['', 'an end where a value should be'],
    ['30', 'an end where a value should be'],
    ['3082', 'an end where a value should be'],
    ['3080', 'a length of no definite form'],
    ['308500', 'a length of no definite form'],
    ['3001', 'a value that is longer than what holds it'],
    ['30020402', 'a value that is longer than what holds it'],
    ['1f0100', 'a tag of more than one byte'],
    ['040000', 'an end where a value should be'],
    ['04000400', 'bytes behind the value'],
  ])('%s: %s', (hex, message) => {
    const bytes = Uint8Array.from(Buffer.from(hex, 'hex'));
    expect(() => readDer(bytes)).toThrow(new ParseError(message));
  });

  it('rejects values that are nested too deeply', () => {
    let bytes: number[] = [];
    for (let depth = 0; depth < 100; depth++) bytes = write(0x30, bytes);
    expect(() => readDer(Uint8Array.from(bytes))).toThrow(new ParseError('values that are nested too deep'));
  });

  it('throws nothing but ParseError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          readDer(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError);
        }
      }),
    );
  });
});
