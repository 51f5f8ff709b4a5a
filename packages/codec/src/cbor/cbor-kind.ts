import { isJsonObject, type JsonValue, parseApiVersion, runAtOnce, toHex } from '@ashlar/core';
import { DecodeError } from '../serializers/decode-error.ts';
import { type DocumentLimits, MAXIMUM_DOCUMENT_VALUES } from '../serializers/document-limits.ts';
import type { BodyKind } from '../serializers/unrecognized-body.ts';
import { CborCursor, Info, Major, unacceptable } from './cbor-cursor.ts';
import { diagnoseCbor } from './cbor-diagnostic.ts';
import { duplicateKey, noFieldName } from './cbor-errors.ts';
import { CborReader } from './cbor-reader.ts';
import { checkTags } from './cbor-tags.ts';
import { requireWellFormed, wellFormedEnd } from './cbor-well-formed.ts';

/**
 * Returns the kind that a CBOR body declares; `null` declares none. Only the top-level map is decoded: errors
 * below it do not hide the kind.
 *
 * @throws DecodeError that begins with `unable to determine group/version/kind`: not a data item, not a map,
 * a key that is repeated or neither string nor number, `kind` or `apiVersion` that is not a string
 */
export function cborKind(bytes: Uint8Array, limits: DocumentLimits = {}): BodyKind {
  try {
    requireWellFormed(bytes, limits.maximumValues ?? MAXIMUM_DOCUMENT_VALUES);
    return new KindReader(bytes).read();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new DecodeError(`unable to determine group/version/kind: ${error.message}`, error);
  }
}

/**
 * Requires that a body names its kind and version, as objects without a built-in type must.
 * @throws DecodeError `Object 'Kind' is missing in '…'` with the body in diagnostic notation
 */
export function requireCborKind(value: JsonValue, bytes: Uint8Array): void {
  const { kind, apiVersion } = isJsonObject(value) ? value : {};
  const version = parseApiVersion(typeof apiVersion === 'string' ? apiVersion : '');
  if (typeof kind !== 'string' || kind === '' || !version)
    throw new DecodeError(`Object 'Kind' is missing in '${diagnoseCbor(bytes)}'`);
  const body = { kind, apiVersion: '' };
  if (version.version === '')
    throw new DecodeError(`Object 'apiVersion' is missing in '${diagnoseCbor(bytes)}'`, undefined, body);
}

const FIELDS: readonly string[] = ['kind', 'apiVersion'];
const NULL = 22;

class KindReader {
  readonly #cursor: CborCursor;
  readonly #found = new Map<string, string>();
  #fault: DecodeError | undefined;

  constructor(bytes: Uint8Array) {
    this.#cursor = new CborCursor(bytes);
  }

  read(): BodyKind {
    const cursor = this.#cursor;
    const error = checkTags(cursor);
    if (error) throw error;
    do cursor.head();
    while (cursor.major === Major.tag);
    if (cursor.major === Major.map) this.#entries();
    else if (cursor.major === Major.primitive && cursor.info <= Info.oneByte) this.#simple();
    else throw this.#notStruct();
    if (this.#fault) throw this.#fault;
    return { apiVersion: this.#found.get('apiVersion') ?? '', kind: this.#found.get('kind') ?? '' };
  }

  #simple(): void {
    const { argument } = this.#cursor;
    if (argument < 20 || argument > NULL)
      throw unacceptable('primitives', `simple value ${argument} is not recognized`);
    if (argument < NULL) throw this.#notStruct();
  }

  /** Returns the first error of a value that is not a map. */
  #notStruct(): DecodeError {
    const { major, majorName, bytes } = this.#cursor;
    const value = major === Major.array ? undefined : readItem(bytes);
    if (value instanceof DecodeError && value.message.endsWith('UTF-8 string')) return value;
    const why =
      major === Major.array
        ? ' (cannot decode CBOR array to struct without toarray option)'
        : overflowOf(major, value);
    return new DecodeError(`cbor: cannot unmarshal ${majorName} into Go value of type v1.TypeMeta${why}`);
  }

  #entries(): void {
    const cursor = this.#cursor;
    const count = cursor.isIndefinite ? Infinity : cursor.argument;
    const keys = new Set<string>();
    for (let i = 0; i < count && !(count === Infinity && cursor.takeBreak()); i++) {
      const { name, isField } = this.#key();
      if (name !== undefined) {
        if (keys.has(name)) throw duplicateKey(name.slice(1), i);
        keys.add(name);
      }
      if (isField) this.#field((name as string).slice(1));
      else this.#skip();
    }
  }

  #key(): Key {
    const cursor = this.#cursor;
    const start = cursor.at;
    cursor.head();
    const { major, majorName } = cursor;
    if (major === Major.unsigned) return { name: `n${cursor.exact}` };
    if (major === Major.negative) return { name: `n${-1n - cursor.exact}` };
    cursor.at = start;
    const { bytes } = cursor;
    const value = this.#read();
    if (major === Major.text || major === Major.bytes) {
      if (value instanceof DecodeError) this.#fault ??= value;
      return textKey(value, bytes.subarray(start, cursor.at));
    }
    this.#fault ??= noFieldName(majorName);
    return { name: nameOf(value) };
  }

  #field(name: string): void {
    const cursor = this.#cursor;
    const { at } = cursor;
    const error = checkTags(cursor);
    if (error) {
      this.#fault ??= error;
      return;
    }
    do cursor.head();
    while (cursor.major === Major.tag);
    const { major, majorName } = cursor;
    cursor.at = at;
    const value = major === Major.array || major === Major.map ? undefined : this.#read();
    if (value === undefined) this.#skip();
    if (typeof value === 'string') this.#found.set(name, value);
    else if (value instanceof DecodeError && major > Major.negative) this.#fault ??= value;
    else if (value !== null)
      this.#fault ??= new DecodeError(
        `cbor: cannot unmarshal ${majorName} into Go struct field v1.TypeMeta.${name} of type string${overflowOf(major, value)}`,
      );
  }

  /** Returns the value of the next item, or its error. */
  #read(): JsonValue | DecodeError {
    const { bytes, at } = this.#cursor;
    this.#skip();
    return readItem(bytes.subarray(at, this.#cursor.at));
  }

  #skip(): void {
    this.#cursor.at = wellFormedEnd(this.#cursor.bytes, this.#cursor.at);
  }
}

function readItem(item: Uint8Array): JsonValue | DecodeError {
  try {
    return runAtOnce(new CborReader(item).read(undefined));
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
}

/** A key of the top-level map. */
interface Key {
  /** Returns a key prefixed with a letter of its type; undefined for one that no other key can equal. */
  readonly name: string | undefined;
  /** Whether it is a string and names a field of interest. */
  readonly isField?: boolean;
}

function textKey(value: JsonValue | DecodeError, item: Uint8Array): Key {
  if (typeof value !== 'string') return { name: undefined };
  // bytes that are not text become the same text
  return { name: `s${value}${value.includes('\ufffd') ? toHex(item) : ''}`, isField: FIELDS.includes(value) };
}

function nameOf(value: JsonValue | DecodeError): string | undefined {
  if (typeof value === 'string') return `s${value}`;
  return typeof value === 'object' ? undefined : `n${value}`;
}

/** Appended for a negative number beyond 64 bits. */
function overflowOf(major: number, value: unknown): string {
  if (major !== Major.negative || !(value instanceof DecodeError)) return '';
  const { message } = value;
  const start = message.lastIndexOf(' (-');
  return start >= 0 && message.includes(' overflows ', start) && message.endsWith(')')
    ? message.slice(start)
    : '';
}
