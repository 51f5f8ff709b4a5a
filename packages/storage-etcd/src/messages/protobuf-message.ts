import type { Reader, Writer } from 'protobufjs/minimal.js';
import protobuf from 'protobufjs/minimal.js';

/** One field of a message: how its value is written and read, and its default. */
export interface Field<T> {
  readonly tag: number;
  readonly wireType: number;
  readonly initial: T | undefined;
  write(writer: Writer, value: T): void;
  /** @param before what was already read of this field: repeated fields append to it */
  read(reader: Reader, before: T | undefined): T;
}

/** The fields of a message, one per member. */
export type Fields<T> = { readonly [K in keyof T]-?: Field<Exclude<T[K], undefined>> };

/** A message type. Given members are written, even if they equal the default. */
export interface MessageType<T> {
  encode(value: Partial<T>): Uint8Array;
  /**
   * Omitted members have their defaults; unknown ones are skipped. Byte strings are views of `bytes`.
   * @throws MalformedMessageError
   */
  decode(bytes: Uint8Array): T;
  write(writer: Writer, value: Partial<T>): void;
  read(reader: Reader, end: number): T;
}

/** Bytes that are not a valid message. */
export class MalformedMessageError extends Error {
  override readonly name: string = 'MalformedMessageError';
}

const VARINT = 0;
const DELIMITED = 2;

/**
 * Defines a message type: proto3 as far as etcd's API needs it.
 * @param name of the message in errors
 * @example
 * const point = defineMessage<{ x: number; label: string }>('Point', { x: integer(1), label: text(2) });
 * point.decode(point.encode({ x: 3 })); // { x: 3, label: '' }
 */
export function defineMessage<T extends object>(name: string, fields: Fields<T>): MessageType<T> {
  return new TableMessage(name, fields);
}

interface Slot {
  readonly name: string;
  readonly field: Field<unknown>;
}

class TableMessage<T extends object> implements MessageType<T> {
  readonly #name: string;
  readonly #slots: readonly Slot[];
  readonly #byTag: (Slot | undefined)[] = [];
  readonly #initial: object;

  constructor(name: string, fields: Fields<T>) {
    this.#name = name;
    this.#slots = Object.entries(fields).map(([name, field]) => ({ name, field: field as Field<unknown> }));
    for (const slot of this.#slots) this.#byTag[slot.field.tag] = slot;
    this.#initial = Object.fromEntries(this.#slots.map(({ name, field }) => [name, field.initial]));
  }

  encode(value: Partial<T>): Uint8Array {
    const writer = protobuf.Writer.create();
    this.write(writer, value);
    return writer.finish();
  }

  decode(bytes: Uint8Array): T {
    try {
      const reader = protobuf.Reader.create(bytes);
      return this.read(reader, reader.len);
    } catch (error) {
      if (error instanceof MalformedMessageError) throw error;
      throw new MalformedMessageError(`${this.#name} is malformed: ${(error as Error).message}`);
    }
  }

  write(writer: Writer, value: Partial<T>): void {
    for (const { name, field } of this.#slots) {
      const member = value[name as keyof T];
      if (member !== undefined) field.write(writer, member);
    }
  }

  read(reader: Reader, end: number): T {
    if (end > reader.len) throw new MalformedMessageError(`${this.#name} is longer than what holds it`);
    const found = { ...this.#initial } as Record<string, unknown>;
    while (reader.pos < end) {
      const key = reader.uint32();
      const slot = this.#byTag[key >>> 3];
      if (slot?.field.wireType === (key & 7)) found[slot.name] = slot.field.read(reader, found[slot.name]);
      else reader.skipType(key & 7);
    }
    if (reader.pos > end) throw new MalformedMessageError(`a field of ${this.#name} is longer than it`);
    return found as T;
  }
}

const keyed = (writer: Writer, tag: number, wireType: number): Writer =>
  writer.uint32(((tag << 3) | wireType) >>> 0);

/** An int64 that must be exact as a number: revisions, counts. Reading one beyond 2^53 fails. */
export function integer(tag: number): Field<number> {
  return {
    tag,
    wireType: VARINT,
    initial: 0,
    write: (writer, value) => void keyed(writer, tag, VARINT).int64(value),
    read: (reader) => {
      const value = readVarint(reader);
      if (value <= Number.MAX_SAFE_INTEGER) return value;
      throw new MalformedMessageError('a number is negative, or beyond 2^53, which this engine cannot hold');
    },
  };
}

/** An int64 identifier: leases, members. */
export function identifier(tag: number): Field<bigint> {
  return {
    tag,
    wireType: VARINT,
    initial: 0n,
    write: (writer, value) => {
      const bits = BigInt.asUintN(64, value);
      const low = Number(bits & 0xffff_ffffn) | 0;
      keyed(writer, tag, VARINT).int64({ low, high: Number(bits >> 32n) | 0, unsigned: false });
    },
    read: (reader) => {
      let value = 0n;
      for (let shift = 0n; shift < 70n; shift += 7n) {
        const byte = nextByte(reader);
        value |= BigInt(byte & 0x7f) << shift;
        if (byte < 0x80) return BigInt.asUintN(64, value);
      }
      throw new MalformedMessageError('a number has more than ten bytes');
    },
  };
}

export function boolean(tag: number): Field<boolean> {
  return {
    tag,
    wireType: VARINT,
    initial: false,
    write: (writer, value) => void keyed(writer, tag, VARINT).bool(value),
    read: (reader) => reader.bool(),
  };
}

/** UTF-8. */
export function text(tag: number): Field<string> {
  return {
    tag,
    wireType: DELIMITED,
    initial: '',
    write: (writer, value) => void keyed(writer, tag, DELIMITED).string(value),
    read: (reader) => reader.string(),
  };
}

/** Repeated strings. */
export function texts(tag: number): Field<readonly string[]> {
  const none: readonly string[] = [];
  const one = text(tag);
  return {
    ...{ tag, wireType: DELIMITED, initial: none },
    write: (writer, values) => {
      for (const value of values) one.write(writer, value);
    },
    read: (reader, before) => {
      if (before === none || before === undefined) return [reader.string()];
      (before as string[]).push(reader.string());
      return before;
    },
  };
}

const NO_BYTES = new Uint8Array();

export function bytes(tag: number): Field<Uint8Array> {
  return {
    tag,
    wireType: DELIMITED,
    initial: NO_BYTES,
    write: (writer, value) => void keyed(writer, tag, DELIMITED).bytes(value),
    read: (reader) => reader.bytes(),
  };
}

/** An embedded message; undefined if it is omitted. */
export function message<T>(tag: number, type: MessageType<T>): Field<T> {
  return {
    tag,
    wireType: DELIMITED,
    initial: undefined,
    write: (writer, value) => {
      keyed(writer, tag, DELIMITED).fork();
      type.write(writer, value as Partial<T>);
      writer.ldelim();
    },
    read: (reader) => readDelimited(reader, type),
  };
}

/** Repeated messages. */
export function messages<T>(tag: number, type: MessageType<T>): Field<readonly T[]> {
  const none: readonly T[] = [];
  const one = message(tag, type);
  return {
    tag,
    wireType: DELIMITED,
    initial: none,
    write: (writer, values) => {
      for (const value of values) one.write(writer, value);
    },
    read: (reader, before) => {
      const value = readDelimited(reader, type);
      if (before === none || before === undefined) return [value];
      (before as T[]).push(value);
      return before;
    },
  };
}

function readDelimited<T>(reader: Reader, type: MessageType<T>): T {
  const length = reader.uint32();
  return type.read(reader, reader.pos + length);
}

function nextByte(reader: Reader): number {
  const byte = reader.buf[reader.pos++];
  if (byte === undefined || reader.pos > reader.len) throw new MalformedMessageError('a number is cut off');
  return byte;
}

/** Exact below 2^53, and at least 2^53 if the number is: negative ones are read as unsigned. */
function readVarint(reader: Reader): number {
  let value = 0;
  for (let scale = 1; scale < 2 ** 70; scale *= 128) {
    const byte = nextByte(reader);
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
  }
  throw new MalformedMessageError('a number has more than ten bytes');
}
