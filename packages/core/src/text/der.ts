import { ParseError } from '../errors/parse-error.ts';

/** A value of DER (X.690) with its contents. */
export interface DerValue {
  /** As in the bytes: class, form and number. */
  readonly tag: number;
  readonly content: Uint8Array;
  /** The values inside a constructed one. */
  readonly children: readonly DerValue[];
}

/** Tags of the universal class, as encoded. */
export const DerTag = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  sequence: 0x30,
  set: 0x31,
} as const;

const CONSTRUCTED = 0x20;
const MAXIMUM_DEPTH = 32;
/** A value takes at least two bytes, and many times that in memory; a certificate has some hundred. */
const MAXIMUM_VALUES = 25_000;

/**
 * Decodes the one value that the bytes encode, such as a certificate or key.
 *
 * @example readDer(Uint8Array.of(0x30, 3, 0x02, 1, 5)).children[0]?.content // 5
 *
 * @throws ParseError if they are not DER, nested deeper than 32 values, or of more than 25,000
 */
export function readDer(bytes: Uint8Array): DerValue {
  const [value, more] = readAll(bytes, 0, { values: 0 });
  if (!value) throw new ParseError('an end where a value should be');
  if (more) throw new ParseError('bytes behind the value');
  return value;
}

function readAll(bytes: Uint8Array, depth: number, count: { values: number }): readonly DerValue[] {
  if (depth > MAXIMUM_DEPTH) throw new ParseError('values that are nested too deep');
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (++count.values > MAXIMUM_VALUES) throw new ParseError('too many values');
    const tag = bytes[at] as number;
    if ((tag & 0x1f) === 0x1f) throw new ParseError('a tag of more than one byte');
    const { start, end } = readLength(bytes, at + 1);
    if (end > bytes.length) throw new ParseError('a value that is longer than what holds it');
    const content = bytes.subarray(start, end);
    values.push({ tag, content, children: tag & CONSTRUCTED ? readAll(content, depth + 1, count) : [] });
    at = end;
  }
  return values;
}

/** Where the contents of a value lie, given where its length begins. */
function readLength(bytes: Uint8Array, at: number): { readonly start: number; readonly end: number } {
  const first = bytes[at];
  if (first === undefined) throw new ParseError('an end where a value should be');
  if (first < 0x80) return { start: at + 1, end: at + 1 + first };
  if (first === 0x80 || first > 0x84) throw new ParseError('a length of no definite form');
  const start = at + 1 + (first & 0x7f);
  if (start > bytes.length) throw new ParseError('an end where a value should be');
  const length = bytes.subarray(at + 1, start).reduce((sum, byte) => sum * 256 + byte, 0);
  return { start, end: start + length };
}
