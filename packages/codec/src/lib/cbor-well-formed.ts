import { CborCursor, Info, Major, majorNameOf, Tag, unacceptable, unexpectedEnd } from './cbor-cursor.ts';
import { DecodeError } from './decode-error.ts';

/** Deepest nesting of arrays, maps and tags (semantics I7). */
export const MAXIMUM_CBOR_DEPTH = 64;
/** Most entries of one array or map. */
export const MAXIMUM_CBOR_ENTRIES = 1024;

const INT64_LIMIT = 2n ** 63n;

/**
 * Checks that the bytes are one data item within the limits, and nothing else (RFC 8949, appendix C). Nothing is made of
 * them, so hostile lengths cost nothing.
 * @throws DecodeError `unexpected EOF`, `cbor: …`; `EOF` where there are no bytes at all
 */
export function requireWellFormed(bytes: Uint8Array): void {
  const { length } = bytes;
  const end = wellFormedEnd(bytes, 0);
  if (end < length)
    throw new DecodeError(`cbor: ${length - end} bytes of extraneous data starting at index ${end}`);
}

/**
 * Where the data item ends that begins at a position.
 * @throws DecodeError as {@link requireWellFormed}
 */
export function wellFormedEnd(bytes: Uint8Array, start: number): number {
  if (start >= bytes.length) throw new DecodeError('EOF');
  const cursor = new CborCursor(bytes);
  cursor.at = start;
  walk(cursor, 0);
  return cursor.at;
}

/** Walks over one item that lies that deep. */
function walk(cursor: CborCursor, depth: number): void {
  cursor.head();
  switch (cursor.major) {
    case Major.bytes:
    case Major.text:
      if (cursor.isIndefinite) walkChunks(cursor, cursor.major);
      else walkString(cursor);
      return;
    case Major.array:
    case Major.map:
      if (depth === MAXIMUM_CBOR_DEPTH) throw tooDeep();
      if (cursor.isIndefinite) walkUntilBreak(cursor, depth + 1);
      else walkEntries(cursor, depth + 1);
      return;
    case Major.tag:
      walkTagged(cursor, depth);
  }
}

function walkString(cursor: CborCursor): void {
  requireSafeLength(cursor, 'causing integer overflow');
  if (cursor.bytes.length - cursor.at < cursor.argument) throw unexpectedEnd();
  cursor.at += cursor.argument;
}

function requireSafeLength(cursor: CborCursor, consequence: string): void {
  if (cursor.info === Info.double && cursor.exact >= INT64_LIMIT)
    throw new DecodeError(`cbor: ${cursor.majorName} length ${cursor.exact} is too large, ${consequence}`);
}

/** The parts of a string of unknown length are strings of its kind, each of known length. */
function walkChunks(cursor: CborCursor, major: number): void {
  const name = cursor.majorName;
  for (;;) {
    if (cursor.atEnd) throw unexpectedEnd();
    if (cursor.takeBreak()) return;
    const initial = cursor.bytes[cursor.at] as number;
    if (initial >> 5 !== major)
      throw new DecodeError(`cbor: wrong element type ${majorNameOf(initial)} for indefinite-length ${name}`);
    if ((initial & 0x1f) === Info.indefinite)
      throw new DecodeError(`cbor: indefinite-length ${name} chunk is not definite-length`);
    walk(cursor, 0);
  }
}

function walkEntries(cursor: CborCursor, depth: number): void {
  requireSafeLength(cursor, 'it would cause integer overflow');
  const { argument, major } = cursor;
  if (argument > MAXIMUM_CBOR_ENTRIES) throw tooMany(major);
  const items = major === Major.map ? argument * 2 : argument;
  for (let i = 0; i < items; i++) walk(cursor, depth);
}

function walkUntilBreak(cursor: CborCursor, depth: number): void {
  const { major } = cursor;
  const width = major === Major.map ? 2 : 1;
  for (let items = 0; ; ) {
    if (cursor.atEnd) throw unexpectedEnd();
    if (cursor.takeBreak()) {
      if (items % width !== 0) throw new DecodeError('cbor: unexpected "break" code');
      return;
    }
    walk(cursor, depth);
    if (++items / width > MAXIMUM_CBOR_ENTRIES && items % width === 0) throw tooMany(major);
  }
}

function walkTagged(cursor: CborCursor, depth: number): void {
  let nested = depth;
  for (;;) {
    if (cursor.atEnd) throw unexpectedEnd();
    if (cursor.argument === Tag.bignum || cursor.argument === Tag.negativeBignum)
      throw unacceptable('tag', 'bignum');
    if (cursor.nextMajor !== Major.tag) break;
    cursor.head();
    if (++nested > MAXIMUM_CBOR_DEPTH) throw tooDeep();
  }
  walk(cursor, nested);
}

const tooDeep = (): DecodeError => new DecodeError(`cbor: exceeded max nested level ${MAXIMUM_CBOR_DEPTH}`);

function tooMany(major: number): DecodeError {
  const what = major === Major.map ? 'key-value pairs' : 'elements';
  const kind = major === Major.map ? 'map' : 'array';
  return new DecodeError(`cbor: exceeded max number of ${what} ${MAXIMUM_CBOR_ENTRIES} for CBOR ${kind}`);
}
