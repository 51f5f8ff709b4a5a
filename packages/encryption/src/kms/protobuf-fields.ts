import type { ProtobufWriter } from '@ashlar/codec';
import { DecryptionError } from '../values/decryption-error.ts';

/** One field of a message: a length-delimited one has `data`, a varint has `value`, others neither. */
export interface WireField {
  readonly number: number;
  readonly data?: Uint8Array<ArrayBuffer>;
  readonly value?: bigint;
}

const VARINT = 0;
const FIXED_64 = 1;
const DELIMITED = 2;
const START_GROUP = 3;
const END_GROUP = 4;
const FIXED_32 = 5;

/** Largest number of bytes of a varint. */
const VARINT_BYTES = 10;

/**
 * Reads the fields of a message, with the errors of the reference. Messages in storage are few fields with large contents, of which
 * views are returned.
 */
export class ProtobufFields implements Iterable<WireField> {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** @throws DecryptionError if the bytes are cut off, or a field is of no known type */
  *[Symbol.iterator](): Iterator<WireField> {
    while (this.#at < this.#bytes.length) {
      const tag = this.#varint();
      const number = Number(tag >> 3n);
      const type = Number(tag & 7n);
      if (type === VARINT) yield { number, value: this.#varint() };
      else if (type === DELIMITED) yield { number, data: this.#delimited() };
      else {
        this.#skip(type);
        yield { number };
      }
    }
  }

  #skip(type: number): void {
    if (type === FIXED_32) this.#take(4);
    else if (type === FIXED_64) this.#take(8);
    else if (type === START_GROUP) this.#skipGroup();
    else throw new DecryptionError(`proto: can't skip unknown wire type ${type}`);
  }

  /** Skips fields up to the end of the group, and of groups in it. */
  #skipGroup(): void {
    for (let depth = 1; depth > 0; ) {
      const type = Number(this.#varint() & 7n);
      if (type === VARINT) this.#varint();
      else if (type === DELIMITED) this.#delimited();
      else if (type === START_GROUP) depth++;
      else if (type === END_GROUP) depth--;
      else if (type === FIXED_32 || type === FIXED_64) this.#take(type === FIXED_32 ? 4 : 8);
      else throw unexpectedEnd();
    }
  }

  #delimited(): Uint8Array<ArrayBuffer> {
    const length = this.#varint();
    if (length > BigInt(this.#bytes.length - this.#at)) throw unexpectedEnd();
    return this.#take(Number(length));
  }

  #take(length: number): Uint8Array<ArrayBuffer> {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw unexpectedEnd();
    const value = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return value as Uint8Array<ArrayBuffer>;
  }

  #varint(): bigint {
    let value = 0n;
    for (let i = 0; i < VARINT_BYTES; i++) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined || (i === VARINT_BYTES - 1 && byte > 1)) throw unexpectedEnd();
      value |= BigInt(byte & 0x7f) << BigInt(7 * i);
      if (byte < 0x80) return value;
    }
    throw unexpectedEnd();
  }
}

const unexpectedEnd = (): DecryptionError => new DecryptionError('unexpected EOF');

/** Writes a field of text or bytes, unless it is empty. */
export function writeField(writer: ProtobufWriter, number: number, value: string | Uint8Array): void {
  if (value.length === 0) return;
  writer.uint32(tagOf(number));
  if (typeof value === 'string') writer.string(value);
  else writer.bytes(value);
}

/** Writes a map of bytes, sorted by name. */
export function writeAnnotations(
  writer: ProtobufWriter,
  number: number,
  values: Readonly<Record<string, Uint8Array>>,
): void {
  for (const name of Object.keys(values).sort()) {
    writer.uint32(tagOf(number)).fork();
    writer.uint32(tagOf(1)).string(name);
    writer.uint32(tagOf(2)).bytes(values[name] as Uint8Array);
    writer.ldelim();
  }
}

const tagOf = (number: number): number => (number << 3) | DELIMITED;
