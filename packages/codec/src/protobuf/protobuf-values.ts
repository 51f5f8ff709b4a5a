import {
  decodeBase64,
  encodeBase64,
  isJsonObject,
  isZeroTime,
  type JsonValue,
  runAtOnce,
  type Schema,
  type Steps,
} from '@ashlar/core';
import { decodeJsonSteps } from '../json/json-decode.ts';
import { encodeJson, encodeJsonSteps } from '../json/json-encode.ts';
import { DecodeError } from '../serializers/decode-error.ts';
import { printTime, readTime } from './protobuf-time.ts';
import {
  nextBytes,
  ReadBudget,
  type Reader,
  readFields,
  readInteger,
  WireType,
  type Writer,
  writeInteger,
  writeKey,
} from './protobuf-wire.ts';

/** Encoding of one value, without the key of its field. */
export interface ValueCodec {
  readonly wireType: number;
  /** Writes a value; undefined writes the zero value. */
  write(writer: Writer, value: JsonValue | undefined): void;
  /** As `write`, with pauses; only for codecs of potentially large values. */
  writeSteps?(writer: Writer, value: JsonValue | undefined): Steps<void>;
  read(reader: Reader, budget: ReadBudget): JsonValue;
  /** Reads the bytes of a message with pauses; only for codecs of potentially large messages. */
  parseSteps?(bytes: Uint8Array, budget: ReadBudget): Steps<JsonValue>;
  /** The JSON form of the zero value. */
  zero(): JsonValue;
  /** A type whose zero value is written and printed even when empty, because it is not a scalar. */
  readonly structural: boolean;
  /** A type whose absence differs from its zero value without a pointer: bytes. */
  readonly nilable?: boolean;
}

/** The prefix of enveloped Protobuf inside raw extensions. */
export const ENVELOPE_PREFIX: readonly number[] = [0x6b, 0x38, 0x73, 0x00];

/** The codec of a schema's format or scalar type; undefined for objects, lists and maps. */
export function scalarCodec(schema: Schema): ValueCodec | undefined {
  if (schema.intOrString) return intOrStringCodec;
  const byFormat = schema.format === undefined ? undefined : FORMATS[schema.format];
  return byFormat ?? (schema.type === undefined ? undefined : TYPES[schema.type]);
}

const stringCodec: ValueCodec = {
  wireType: WireType.bytes,
  write: (writer, value = '') => void writer.string(expectText(value)),
  read: (reader) => reader.string(),
  zero: () => '',
  structural: false,
};

const integerCodec: ValueCodec = {
  wireType: WireType.varint,
  write(writer, value = 0) {
    if (typeof value === 'bigint' || Number.isSafeInteger(value))
      writeInteger(writer, value as number | bigint);
    else throw mismatch('integer', value);
  },
  read: readInteger,
  zero: () => 0,
  structural: false,
};

const booleanCodec: ValueCodec = {
  wireType: WireType.varint,
  write: (writer, value = false) => void writer.bool(expectBoolean(value)),
  read: (reader) => reader.bool(),
  zero: () => false,
  structural: false,
};

const doubleCodec: ValueCodec = {
  wireType: WireType.fixed64,
  write: (writer, value = 0) => void writer.double(Number(value)),
  read: (reader) => reader.double(),
  zero: () => 0,
  structural: false,
};

const bytesCodec: ValueCodec = {
  wireType: WireType.bytes,
  write: (writer, value = '') => void writer.bytes(decodeBase64(expectText(value))),
  read: (reader) => encodeBase64(reader.bytes()),
  zero: () => null,
  structural: false,
  nilable: true,
};

/** A value that is encoded as an embedded message: `fill` writes its fields, `parse` reads its bytes. */
export function messageCodec(
  fill: (writer: Writer, value: JsonValue | undefined) => void,
  parse: (bytes: Uint8Array, budget: ReadBudget) => JsonValue,
  parseSteps?: (bytes: Uint8Array, budget: ReadBudget) => Steps<JsonValue>,
  fillSteps?: (writer: Writer, value: JsonValue | undefined) => Steps<void>,
): ValueCodec {
  return {
    wireType: WireType.bytes,
    write(writer, value) {
      writer.fork();
      fill(writer, value);
      writer.ldelim();
    },
    ...(fillSteps && {
      *writeSteps(writer, value) {
        writer.fork();
        yield* fillSteps(writer, value);
        writer.ldelim();
      },
    }),
    read: (reader, budget) => parse(nextBytes(reader), budget),
    ...(parseSteps && { parseSteps }),
    zero: () => parse(NO_BYTES, new ReadBudget()),
    structural: true,
  };
}

const NO_BYTES = new Uint8Array(0);

function timeCodec(micro: boolean): ValueCodec {
  return messageCodec(
    (writer, value) => {
      if (value === undefined || value === null) return;
      const time = readTime(expectText(value), micro);
      if (isZeroTime(time)) return;
      writeInteger(writeKey(writer, 1, WireType.varint), time.seconds);
      writeInteger(writeKey(writer, 2, WireType.varint), time.nanoseconds);
    },
    (bytes, budget) => {
      if (bytes.length === 0) return null;
      const [seconds = 0, nanoseconds = 0] = readIntegers(bytes, 'Timestamp', budget);
      return printTime({ seconds, nanoseconds }, micro);
    },
  );
}

const quantityCodec: ValueCodec = messageCodec(
  (writer, value = '0') => void writeKey(writer, 1, WireType.bytes).string(String(value)),
  (bytes, budget) => {
    let text = '0';
    readFields(bytes, 'Quantity', budget, (reader, tag, wireType) => {
      if (tag === 1) text = reader.string();
      else reader.skipType(wireType);
    });
    return text;
  },
);

const intOrStringCodec: ValueCodec = messageCodec(
  (writer, value = 0) => {
    const isText = typeof value === 'string';
    if (!isText && !Number.isSafeInteger(value)) throw mismatch('integer or string', value);
    writeInteger(writeKey(writer, 1, WireType.varint), isText ? 1 : 0);
    writeInteger(writeKey(writer, 2, WireType.varint), isText ? 0 : (value as number));
    writeKey(writer, 3, WireType.bytes).string(isText ? value : '');
  },
  (bytes, budget) => {
    const [type = 0, number = 0] = readIntegers(bytes, 'IntOrString', budget);
    let text = '';
    readFields(bytes, 'IntOrString', budget, (reader, tag, wireType) => {
      if (tag === 3) text = reader.string();
      else reader.skipType(wireType);
    });
    return type === 0 ? number : text;
  },
);

/** JSON in a message's only field, as in raw extensions, field sets and free JSON values. */
const jsonCodec: ValueCodec = messageCodec(
  (writer, value) => {
    if (value !== undefined && value !== null) writeKey(writer, 1, WireType.bytes).bytes(encodeJson(value));
  },
  (bytes, budget) => runAtOnce(parseJson(bytes, budget)),
  parseJson,
  function* (writer, value) {
    if (value === undefined || value === null) return;
    const json = typeof value === 'object' ? yield* encodeJsonSteps(value) : encodeJson(value);
    writeKey(writer, 1, WireType.bytes).bytes(json);
  },
);

function* parseJson(bytes: Uint8Array, budget: ReadBudget): Steps<JsonValue> {
  let raw = NO_BYTES as Uint8Array;
  readFields(bytes, 'RawExtension', budget, (reader, tag, wireType) => {
    if (tag === 1) raw = reader.bytes();
    else reader.skipType(wireType);
  });
  if (ENVELOPE_PREFIX.every((byte, i) => raw[i] === byte))
    throw new DecodeError('an embedded object in Protobuf is not supported, only JSON is');
  if (raw.length === 0) return null;
  const { value, values } = yield* decodeJsonSteps(raw, { maximumValues: budget.left });
  budget.take(values);
  return value;
}

/** The varint fields of a message by tag, the first of them at index 0. */
function readIntegers(bytes: Uint8Array, typeName: string, budget: ReadBudget): number[] {
  const integers: number[] = [];
  readFields(bytes, typeName, budget, (reader, tag, wireType) => {
    if (wireType === WireType.varint && tag <= 2) integers[tag - 1] = Number(readInteger(reader));
    else reader.skipType(wireType);
  });
  return integers;
}

const FORMATS: Readonly<Record<string, ValueCodec>> = {
  byte: bytesCodec,
  'date-time': timeCodec(false),
  'date-time-micro': timeCodec(true),
  quantity: quantityCodec,
  'fields-v1': jsonCodec,
  'raw-extension': jsonCodec,
};

const TYPES: Readonly<Record<string, ValueCodec>> = {
  string: stringCodec,
  integer: integerCodec,
  boolean: booleanCodec,
  number: doubleCodec,
};

function expectText(value: JsonValue): string {
  if (typeof value !== 'string') throw mismatch('string', value);
  return value;
}

function expectBoolean(value: JsonValue): boolean {
  if (typeof value !== 'boolean') throw mismatch('boolean', value);
  return value;
}

/** The value does not match its schema: the caller must validate it before. */
export function mismatch(expected: string, value: JsonValue | undefined): TypeError {
  const actual =
    value === null ? 'null' : Array.isArray(value) ? 'array' : isJsonObject(value) ? 'object' : String(value);
  return new TypeError(`Protobuf: expected ${expected}, not ${actual}`);
}
