import { DecodeError } from '../serializers/decode-error.ts';
import { tooManyValues } from '../serializers/document-limits.ts';
import { CborCursor, Info, Major, majorNameOf, Tag, unacceptable, unexpectedEnd } from './cbor-cursor.ts';

/** Maximum nesting of arrays, maps and tags (semantics/encodings#cbor). */
export const MAXIMUM_CBOR_DEPTH = 64;
/** Maximum entries of one array or map. */
export const MAXIMUM_CBOR_ENTRIES = 1024;

const INT64_LIMIT = 2n ** 63n;

/**
 * Checks that the bytes are exactly one data item within the limits (RFC 8949, appendix C). Nothing is
 * allocated, so hostile lengths cost nothing.
 * @param maximumValues maximum number of values, not counting keys of maps, but each chunk of a string of
 * unknown length
 * @throws DecodeError `unexpected EOF`, `cbor: …`; `EOF` if there are no bytes at all
 */
export function requireWellFormed(bytes: Uint8Array, maximumValues: number): void {
  const { length } = bytes;
  const end = wellFormedEnd(bytes, 0, maximumValues);
  if (end < length)
    throw new DecodeError(`cbor: ${length - end} bytes of extraneous data starting at index ${end}`);
}

/**
 * Returns the end of the data item that begins at a position.
 * @throws DecodeError as {@link requireWellFormed}
 */
export function wellFormedEnd(
  bytes: Uint8Array,
  start: number,
  maximumValues: number = Number.POSITIVE_INFINITY,
): number {
  if (start >= bytes.length) throw new DecodeError('EOF');
  const walker = new CborWalker(bytes, start, maximumValues);
  walker.walk(0);
  return walker.end;
}

/** Skips items. */
class CborWalker {
  readonly #cursor: CborCursor;
  readonly #maximumValues: number;
  #values = 0;

  constructor(bytes: Uint8Array, start: number, maximumValues: number) {
    this.#cursor = new CborCursor(bytes);
    this.#cursor.at = start;
    this.#maximumValues = maximumValues;
  }

  get end(): number {
    return this.#cursor.at;
  }

  /** Skips one item at that depth. */
  walk(depth: number): void {
    const cursor = this.#cursor;
    if (++this.#values > this.#maximumValues) throw tooManyValues(this.#maximumValues);
    cursor.head();
    switch (cursor.major) {
      case Major.bytes:
      case Major.text:
        if (cursor.isIndefinite) this.#chunks(cursor.major);
        else this.#string();
        return;
      case Major.array:
      case Major.map:
        if (depth === MAXIMUM_CBOR_DEPTH) throw tooDeep();
        if (cursor.isIndefinite) this.#untilBreak(depth + 1);
        else this.#entries(depth + 1);
        return;
      case Major.tag:
        this.#tagged(depth);
    }
  }

  #string(): void {
    const cursor = this.#cursor;
    this.#requireSafeLength('causing integer overflow');
    if (cursor.bytes.length - cursor.at < cursor.argument) throw unexpectedEnd();
    cursor.at += cursor.argument;
  }

  #requireSafeLength(consequence: string): void {
    const cursor = this.#cursor;
    if (cursor.info === Info.double && cursor.exact >= INT64_LIMIT)
      throw new DecodeError(`cbor: ${cursor.majorName} length ${cursor.exact} is too large, ${consequence}`);
  }

  /** The chunks of a string of unknown length are strings of its kind, each of known length. */
  #chunks(major: number): void {
    const cursor = this.#cursor;
    const name = cursor.majorName;
    for (;;) {
      if (cursor.atEnd) throw unexpectedEnd();
      if (cursor.takeBreak()) return;
      const initial = cursor.bytes[cursor.at] as number;
      if (initial >> 5 !== major)
        throw new DecodeError(
          `cbor: wrong element type ${majorNameOf(initial)} for indefinite-length ${name}`,
        );
      if ((initial & 0x1f) === Info.indefinite)
        throw new DecodeError(`cbor: indefinite-length ${name} chunk is not definite-length`);
      this.walk(0);
    }
  }

  #entries(depth: number): void {
    this.#requireSafeLength('it would cause integer overflow');
    const { argument, major } = this.#cursor;
    if (argument > MAXIMUM_CBOR_ENTRIES) throw tooMany(major);
    const isMap = major === Major.map;
    const items = isMap ? argument * 2 : argument;
    for (let i = 0; i < items; i++) this.walk(depth);
    if (isMap) this.#values -= argument;
  }

  #untilBreak(depth: number): void {
    const cursor = this.#cursor;
    const { major } = cursor;
    const width = major === Major.map ? 2 : 1;
    for (let items = 0; ; ) {
      if (cursor.atEnd) throw unexpectedEnd();
      if (cursor.takeBreak()) {
        if (items % width !== 0) throw new DecodeError('cbor: unexpected "break" code');
        return;
      }
      this.walk(depth);
      if (++items % width === 1) this.#values--;
      if (items / width > MAXIMUM_CBOR_ENTRIES && items % width === 0) throw tooMany(major);
    }
  }

  #tagged(depth: number): void {
    const cursor = this.#cursor;
    let nested = depth;
    for (;;) {
      if (cursor.atEnd) throw unexpectedEnd();
      if (cursor.argument === Tag.bignum || cursor.argument === Tag.negativeBignum)
        throw unacceptable('tag', 'bignum');
      if (cursor.nextMajor !== Major.tag) break;
      cursor.head();
      if (++nested > MAXIMUM_CBOR_DEPTH) throw tooDeep();
    }
    this.walk(nested);
  }
}

const tooDeep = (): DecodeError => new DecodeError(`cbor: exceeded max nested level ${MAXIMUM_CBOR_DEPTH}`);

function tooMany(major: number): DecodeError {
  const what = major === Major.map ? 'key-value pairs' : 'elements';
  const kind = major === Major.map ? 'map' : 'array';
  return new DecodeError(`cbor: exceeded max number of ${what} ${MAXIMUM_CBOR_ENTRIES} for CBOR ${kind}`);
}
