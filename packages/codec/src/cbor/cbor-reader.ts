import { encodeBase64, type JsonValue, type Steps, setMember, toBase64Url, toHex } from '@ashlar/core';
import { DecodeError } from '../serializers/decode-error.ts';
import { decodeUtf8, decodeUtf8Strictly } from '../serializers/utf8.ts';
import { BrokenKeys } from './broken-keys.ts';
import { CborCursor, Info, Major, Tag } from './cbor-cursor.ts';
import {
  badText,
  duplicateKey,
  mismatch,
  noFieldName,
  tooLarge,
  tooLargeTime,
  unknownSimple,
} from './cbor-errors.ts';
import type { CborShape } from './cbor-shape.ts';
import { checkTags } from './cbor-tags.ts';
import { timeOfSeconds, timeOfText } from './cbor-time.ts';
import { wellFormedEnd } from './cbor-well-formed.ts';
import { sortedMembers } from './sorted-members.ts';

/** What the reader reports. */
export interface CborReaderEvents {
  /** A float with an integer value. */
  integerFloat?(path: string): void;
}

/** A value or an error: reading continues after an error, since a later one may take precedence. */
type Read = JsonValue | DecodeError;

const FALSE = 20;
const TRUE = 21;
const NULL = 22;
const INT64_LIMIT = 2n ** 63n;
/** Values between pauses. */
const STRIDE = 512;
/** Bytes of a chunk up to which a view of them costs more than they do. */
const SHORT_CHUNK = 64;

/**
 * Converts well-formed data items to JSON values (semantics/encodings#cbor). Errors have the order of the
 * reference: the first counts, but a repeated key precedes everything else in its map.
 */
export class CborReader {
  readonly #cursor: CborCursor;
  readonly #events: CborReaderEvents;
  /** The encoding from bytes to text, of each enclosing tag. */
  readonly #enclosingEncodings: number[] = [];
  #path = '';
  #values = 0;
  /** The bytes of the last key in hexadecimal, if they are not text: such keys become the same text. */
  #brokenKey = '';
  /** The previous key of the current map. */
  #previousKey = '';

  constructor(bytes: Uint8Array, events: CborReaderEvents = {}) {
    this.#cursor = new CborCursor(bytes);
    this.#events = events;
  }

  /** @throws DecodeError */
  *read(shape: CborShape | undefined): Steps<JsonValue> {
    const value = yield* this.#item(shape);
    if (value instanceof DecodeError) throw value;
    return value;
  }

  *#item(shape: CborShape | undefined): Steps<Read> {
    const leaf = this.#leaf(shape);
    return leaf === undefined ? yield* this.#nested(shape) : leaf;
  }

  /** An array, a map, or a tagged item. */
  *#nested(shape: CborShape | undefined): Steps<Read> {
    const cursor = this.#cursor;
    if (cursor.nextMajor === Major.tag) return yield* this.#tagged(shape);
    cursor.head();
    return yield* cursor.major === Major.array ? this.#array(shape?.entries) : this.#map(shape);
  }

  /** Reads the next item if it is a scalar, otherwise leaves it. So only containers pay for pauses. */
  #leaf(shape: CborShape | undefined): Read | undefined {
    const cursor = this.#cursor;
    const { nextMajor } = cursor;
    if (nextMajor >= Major.array && nextMajor <= Major.tag) return undefined;
    cursor.head();
    switch (nextMajor) {
      case Major.unsigned:
      case Major.negative:
        return this.#integer();
      case Major.bytes:
        return this.#bytes(shape);
      case Major.text:
        return this.#text();
      default:
        return this.#primitive(shape);
    }
  }

  #integer(): Read {
    const cursor = this.#cursor;
    const { major, info, argument } = cursor;
    if (info !== Info.double || argument < Number.MAX_SAFE_INTEGER)
      return major === Major.unsigned ? argument : -1 - argument;
    const { exact } = cursor;
    const value = major === Major.unsigned ? exact : -1n - exact;
    return exact < INT64_LIMIT ? value : tooLarge(cursor.majorName, value, 'int64');
  }

  #primitive(shape: CborShape | undefined): Read {
    const { info, argument } = this.#cursor;
    if (info >= Info.half) return this.#float(shape);
    if (argument === FALSE) return false;
    if (argument === TRUE) return true;
    return argument === NULL ? null : unknownSimple(argument);
  }

  #float(shape: CborShape | undefined): Read {
    const { float } = this.#cursor;
    if (shape?.leaf === 'integer') return mismatch('primitives', shape.goType ?? 'int64');
    if (Number.isInteger(float)) this.#events.integerFloat?.(this.#path);
    return float;
  }

  #bytes(shape: CborShape | undefined): string {
    if (this.#enclosingEncodings.length === 0) {
      const text = this.#cursor.takeShortText();
      if (text !== undefined) return text;
    }
    const bytes = this.#string();
    if (shape?.leaf === 'bytes' && this.#enclosingEncodings.length > 0) return encodeBase64(bytes);
    return this.#bytesAsText(bytes);
  }

  #bytesAsText(bytes: Uint8Array): string {
    switch (this.#enclosingEncodings.at(-1)) {
      case Tag.toBase64Url:
        return toBase64Url(bytes);
      case Tag.toBase64:
        return encodeBase64(bytes);
      case Tag.toBase16:
        return toHex(bytes);
      default:
        return decodeUtf8(bytes);
    }
  }

  /** The contents of a string, its chunks joined. */
  #string(): Uint8Array {
    const cursor = this.#cursor;
    if (!cursor.isIndefinite) return cursor.take(cursor.argument);
    return this.#joined(this.#lengthOfChunks());
  }

  /** The length of all chunks together, before which the cursor stays. */
  #lengthOfChunks(): number {
    const cursor = this.#cursor;
    const start = cursor.at;
    let length = 0;
    while (!cursor.takeBreak()) {
      cursor.head();
      length += cursor.argument;
      cursor.at += cursor.argument;
    }
    cursor.at = start;
    return length;
  }

  /** There may be a million chunks: short ones are copied byte by byte. */
  #joined(length: number): Uint8Array {
    const cursor = this.#cursor;
    const joined = new Uint8Array(length);
    for (let end = 0; !cursor.takeBreak(); ) {
      cursor.head();
      const { argument, at, bytes } = cursor;
      if (argument > SHORT_CHUNK) joined.set(bytes.subarray(at, at + argument), end);
      else for (let i = 0; i < argument; i++) joined[end + i] = bytes[at + i] as number;
      cursor.at += argument;
      end += argument;
    }
    return joined;
  }

  /** Each chunk of a text is valid text by itself. */
  #text(): Read {
    const cursor = this.#cursor;
    if (!cursor.isIndefinite)
      return cursor.takeShortText() ?? decodeUtf8Strictly(cursor.take(cursor.argument)) ?? badText();
    const parts: (string | undefined)[] = [];
    while (!cursor.takeBreak()) {
      cursor.head();
      if (cursor.argument === 0) continue;
      parts.push(cursor.takeShortText() ?? decodeUtf8Strictly(cursor.take(cursor.argument)));
    }
    return parts.includes(undefined) ? badText() : parts.join('');
  }

  /** Returns whether it is time for a pause. */
  #isDue(): boolean {
    return ++this.#values % STRIDE === 0;
  }

  *#array(entry: CborShape | undefined): Steps<Read> {
    const cursor = this.#cursor;
    const count = cursor.isIndefinite ? Infinity : cursor.argument;
    const path = this.#path;
    const values: JsonValue[] = [];
    let error: DecodeError | undefined;
    for (let i = 0; i < count && !(count === Infinity && cursor.takeBreak()); i++) {
      if (this.#events.integerFloat) this.#path = `${path}[${i}]`;
      if (this.#isDue()) yield;
      const leaf = this.#leaf(entry);
      const value = leaf === undefined ? yield* this.#nested(entry) : leaf;
      if (value instanceof DecodeError) error ??= value;
      else values.push(value);
    }
    this.#path = path;
    return error ?? values;
  }

  *#map(shape: CborShape | undefined): Steps<Read> {
    const cursor = this.#cursor;
    const count = cursor.isIndefinite ? Infinity : cursor.argument;
    const path = this.#path;
    const object: Record<string, JsonValue> = {};
    let broken: BrokenKeys | undefined;
    let previous = '';
    let error: DecodeError | undefined;
    for (let i = 0; i < count && !(count === Infinity && cursor.takeBreak()); i++) {
      this.#previousKey = previous;
      const key = shape?.isStruct ? this.#fieldName() : this.#key();
      const brokenKey = this.#brokenKey;
      if (key instanceof DecodeError) {
        error ??= key;
        this.#skip();
        continue;
      }
      previous = key;
      if (this.#events.integerFloat) this.#path = path === '' ? key : `${path}.${key}`;
      if (this.#isDue()) yield;
      const inner = shape?.members?.get(key) ?? shape?.entries;
      const leaf = this.#leaf(inner);
      const found = leaf === undefined ? yield* this.#nested(inner) : leaf;
      // what is in a field that the kind does not have, nobody reads
      const isUnread = found instanceof DecodeError && shape?.isStruct && !shape.members?.has(key);
      const value = isUnread ? null : found;
      if (value instanceof DecodeError) {
        error ??= value;
        continue;
      }
      if (brokenKey === '' ? Object.hasOwn(object, key) : broken?.has(brokenKey))
        return this.#duplicate(key, i, count);
      if (brokenKey === '') setMember(object, key, value);
      else {
        broken ??= new BrokenKeys();
        if (broken.add(brokenKey, key)) setMember(object, key, value);
      }
    }
    this.#path = path;
    return error ?? (shape?.leaf === 'raw' ? sortedMembers(object) : object);
  }

  #duplicate(key: string, at: number, count: number): DecodeError {
    const cursor = this.#cursor;
    for (let i = at + 1; i < count && !(count === Infinity && cursor.takeBreak()); i++) {
      this.#skip();
      this.#skip();
    }
    return duplicateKey(key, at);
  }

  /**
   * The key of a map: a string of either kind, tagged or not; `null` repeats the previous key, as in the
   * reference.
   */
  #key(): string | DecodeError {
    const cursor = this.#cursor;
    this.#brokenKey = '';
    if (cursor.nextMajor === Major.tag) return this.#taggedKey();
    cursor.head();
    const { major } = cursor;
    if (major === Major.bytes) return this.#bytesKey();
    if (major === Major.text) return this.#text() as string | DecodeError;
    const { majorName } = cursor;
    if (major === Major.primitive && cursor.info <= Info.oneByte) {
      if (cursor.argument === NULL) return this.#previousKey;
      if (cursor.argument !== FALSE && cursor.argument !== TRUE) return unknownSimple(cursor.argument);
    }
    if (major === Major.array || major === Major.map) this.#skipEntries();
    if (major === Major.negative && cursor.info === Info.double && cursor.exact >= INT64_LIMIT)
      return tooLarge(majorName, -1n - cursor.exact, 'string');
    return mismatch(majorName, 'string');
  }

  /** The name of a field: a string of either kind. Integers are none of a field that there is. */
  #fieldName(): string | DecodeError {
    const cursor = this.#cursor;
    const { nextMajor, at } = cursor;
    if (nextMajor === Major.bytes || nextMajor === Major.text) return this.#key();
    this.#brokenKey = '';
    cursor.head();
    if (nextMajor === Major.unsigned) return `${cursor.exact}`;
    if (nextMajor === Major.negative) return `${-1n - cursor.exact}`;
    const { majorName } = cursor;
    cursor.at = at;
    this.#skip();
    return noFieldName(majorName);
  }

  #bytesKey(): string {
    const short = this.#enclosingEncodings.length === 0 ? this.#cursor.takeShortText() : undefined;
    if (short !== undefined) return short;
    const bytes = this.#string();
    const text = this.#bytesAsText(bytes);
    if (text.includes('\ufffd') && decodeUtf8Strictly(bytes) === undefined) this.#brokenKey = toHex(bytes);
    return text;
  }

  #taggedKey(): string | DecodeError {
    const error = checkTags(this.#cursor);
    if (error) return error;
    this.#cursor.head();
    return this.#underTag(this.#cursor.argument, () => this.#key());
  }

  *#tagged(shape: CborShape | undefined): Steps<Read> {
    const cursor = this.#cursor;
    const error = checkTags(cursor);
    if (error) return error;
    const around = this.#enclosingEncodings.length;
    do {
      cursor.head();
      const tag = cursor.argument;
      if (tag === Tag.timeText || tag === Tag.epochTime) {
        this.#enclosingEncodings.length = around;
        return this.#time();
      }
      if (tag >= Tag.toBase64Url && tag <= Tag.toBase16) this.#enclosingEncodings.push(tag);
    } while (cursor.nextMajor === Major.tag);
    const value = yield* this.#item(shape);
    this.#enclosingEncodings.length = around;
    return value;
  }

  #underTag<T>(tag: number, read: () => T): T {
    if (tag < Tag.toBase64Url || tag > Tag.toBase16) return read();
    this.#enclosingEncodings.push(tag);
    const value = read();
    this.#enclosingEncodings.pop();
    return value;
  }

  /** The contents of a time tag, which has been validated. */
  #time(): Read {
    const cursor = this.#cursor;
    cursor.head();
    try {
      if (cursor.major === Major.text) {
        const text = this.#text() as string | DecodeError;
        return text instanceof DecodeError ? text : timeOfText(text);
      }
      if (cursor.major === Major.primitive) return timeOfSeconds(cursor.float);
      const value = this.#integer();
      return value instanceof DecodeError ? tooLargeTime(value) : timeOfSeconds(Number(value));
    } catch (error) {
      if (error instanceof DecodeError) return error;
      throw error;
    }
  }

  #skip(): void {
    this.#cursor.at = wellFormedEnd(this.#cursor.bytes, this.#cursor.at);
  }

  /** Reads the entries of an array or map after its head. */
  #skipEntries(): void {
    const cursor = this.#cursor;
    const isMap = cursor.major === Major.map;
    const items = cursor.isIndefinite ? Infinity : cursor.argument * (isMap ? 2 : 1);
    for (let i = 0; i < items && !(items === Infinity && cursor.takeBreak()); i++) this.#skip();
  }
}
