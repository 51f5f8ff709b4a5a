import type { Steps } from '@ashlar/core';
import type { Long, Reader as ProtobufReader } from 'protobufjs/minimal.js';
import protobuf from 'protobufjs/minimal.js';
import { DecodeError } from '../serializers/decode-error.ts';
import { MAXIMUM_DOCUMENT_VALUES, maximumMembers, tooManyValues } from '../serializers/document-limits.ts';
import { ProtobufWriter } from './protobuf-writer.ts';

export type Reader = ProtobufReader;
export type Writer = ProtobufWriter;

/** Wire types of Protobuf fields. */
export const WireType = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

export function createWriter(): Writer {
  return new ProtobufWriter();
}

/** Writes the key of a field. */
export function writeKey(writer: Writer, tag: number, wireType: number): Writer {
  return writer.uint32(((tag << 3) | wireType) >>> 0);
}

/** Writes an integer of up to 64 bits, negative ones in ten bytes. */
export function writeInteger(writer: Writer, value: number | bigint): void {
  writer.int64(value);
}

/** Reads a signed integer of up to 64 bits: a bigint beyond 2^53 (ADR 0001). */
export function readInteger(reader: Reader): number | bigint {
  const bits = reader.int64() as Long | number;
  if (typeof bits === 'number') return bits;
  const value = bits.high * 0x1_0000_0000 + (bits.low >>> 0);
  return Number.isSafeInteger(value) ? value : (BigInt(bits.high) << 32n) | BigInt(bits.low >>> 0);
}

/** Maximum nesting of messages; only recursive types come near it. */
const MAXIMUM_DEPTH = 500;

/**
 * Maximum size of what absent fields of messages are in JSON: an empty message of two bytes may be an object of a hundred. Clients of
 * the reference server write all fields that it prints, empty ones, too.
 */
const MAXIMUM_IMPLIED_BYTES = 512 * 1024;

/** What remains of the limits of a document. */
export class ReadBudget {
  readonly #maximumValues: number;
  readonly #members: WeakMap<object, number> = new WeakMap();
  #values = 0;
  #impliedBytes = 0;
  #depth = 0;

  constructor(maximumValues: number = MAXIMUM_DOCUMENT_VALUES) {
    this.#maximumValues = maximumValues;
  }

  /** Bytes of absent fields so far. */
  get impliedBytes(): number {
    return this.#impliedBytes;
  }

  /** Number of values that may follow. */
  get left(): number {
    return this.#maximumValues - this.#values;
  }

  /** Counts values. @throws DecodeError of the kind `too-large` */
  take(values = 1): void {
    this.#values += values;
    if (this.#values > this.#maximumValues) throw tooManyValues(this.#maximumValues);
  }

  /**
   * Counts characters of JSON that stand for nothing in a message: its fields that are printed although they are absent.
   * @throws DecodeError of the kind `too-large`
   */
  imply(bytes: number): void {
    this.#impliedBytes += bytes;
    if (this.#impliedBytes > MAXIMUM_IMPLIED_BYTES && this.#maximumValues !== Number.POSITIVE_INFINITY)
      throw tooManyValues(MAXIMUM_IMPLIED_BYTES, 'bytes of fields that are absent');
  }

  /**
   * Counts an entry of a map.
   * @throws DecodeError of the kind `too-large`
   */
  addTo(map: object): void {
    const most = maximumMembers(this.#maximumValues);
    if (this.#values < most) return;
    const count = (this.#members.get(map) ?? Object.keys(map).length) + 1;
    if (count > most) throw tooManyValues(most, 'members in one object');
    this.#members.set(map, count);
  }

  /** @throws DecodeError beyond the maximum nesting of messages */
  enter(): void {
    if (++this.#depth > MAXIMUM_DEPTH) throw new DecodeError('proto: nested too deeply');
  }

  leave(): void {
    this.#depth--;
  }
}

/** Reads a field, or skips it. */
export type ReadField = (reader: Reader, tag: number, wireType: number) => void;

/**
 * Calls back for every field of a message, which the callback must read or skip.
 * @param typeName name of the message in errors
 * @param budget charged one value for each field
 * @throws DecodeError if the bytes are not a valid message
 */
export function readFields(bytes: Uint8Array, typeName: string, budget: ReadBudget, field: ReadField): void {
  try {
    const reader = protobuf.Reader.create(bytes);
    budget.enter();
    while (reader.pos < reader.len) readField(reader, typeName, budget, field);
    budget.leave();
  } catch (error) {
    throw error instanceof DecodeError ? error : wireFault(error);
  }
}

/** Fields between pauses. */
const STRIDE = 256;
/** Smaller messages are read without a pause. */
export const LARGE_BYTES: number = 16_384;

/**
 * As {@link readFields}, with pauses.
 * @param field returns remaining work with pauses
 */
export function* readFieldsSteps(
  bytes: Uint8Array,
  typeName: string,
  budget: ReadBudget,
  field: (...parameters: Parameters<ReadField>) => Steps<void> | undefined,
): Steps<void> {
  let more: Steps<void> | undefined;
  const keep: ReadField = (reader, tag, wireType) => {
    more = field(reader, tag, wireType);
  };
  try {
    const reader = protobuf.Reader.create(bytes);
    budget.enter();
    for (let count = 1; reader.pos < reader.len; count++) {
      readField(reader, typeName, budget, keep);
      if (more) yield* more;
      if (count % STRIDE === 0) yield;
    }
    budget.leave();
  } catch (error) {
    throw error instanceof DecodeError ? error : wireFault(error);
  }
}

function readField(reader: Reader, typeName: string, budget: ReadBudget, field: ReadField): void {
  const key = reader.uint32();
  const tag = key >>> 3;
  if (tag === 0) throw new DecodeError(`proto: ${typeName}: illegal tag 0 (wire type ${key & 7})`);
  budget.take();
  field(reader, tag, key & 7);
}

/**
 * Returns the length of a length-delimited value without moving the reader.
 * @throws what reading the value would throw, unless the length takes a single byte
 */
export function nextLength(reader: Reader): number {
  const { pos } = reader;
  const first = reader.buf[pos] ?? 0;
  if (first < 0x80) return first;
  const { length } = reader.bytes();
  reader.pos = pos;
  return length;
}

const NO_BYTES = new Uint8Array(0);

/** The bytes of the next value; of an empty one nothing is copied. @throws what the reader throws */
export function nextBytes(reader: Reader): Uint8Array {
  if (reader.pos >= reader.len || reader.buf[reader.pos] !== 0) return reader.bytes();
  reader.pos++;
  return NO_BYTES;
}

/** Errors of the library, worded as the reference server words them. */
function wireFault(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const text = FAULTS.find(([beginning]) => error.message.startsWith(beginning))?.[1];
  if (text !== undefined) return new DecodeError(text, error);
  if (error.message.startsWith('invalid wire type'))
    return new DecodeError(`proto: illegal wireType ${error.message.split(' ')[3]}`, error);
  // other errors are stack overflows: only a recursive type nests without limit
  if (error instanceof RangeError) return new DecodeError('proto: nested too deeply', error);
  return error instanceof TypeError ? error : new DecodeError(`proto: ${error.message}`, error);
}

const FAULTS: readonly (readonly [string, string])[] = [
  ['index out of range', 'unexpected EOF'],
  ['invalid varint', 'proto: integer overflow'],
  ['invalid length', 'proto: negative length found during unmarshaling'],
];

/** @throws DecodeError if a known field has another wire type */
export function expectWireType(actual: number, expected: number, fieldName: string): void {
  if (actual === expected) return;
  const name = fieldName.charAt(0).toUpperCase() + fieldName.slice(1);
  throw new DecodeError(`proto: wrong wireType = ${actual} for field ${name}`);
}

/** A reader limited to the next length-delimited value. */
export function createSubReader(reader: Reader): Reader {
  return protobuf.Reader.create(reader.bytes());
}
