import { encodeYamlText, ProtobufWriter } from '@ashlar/codec';
import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';

/** Writes a value as a field of that number. */
export type Field = (writer: ProtobufWriter, number: number, value: JsonValue) => void;

/**
 * Writes the members of an object as fields of a message, by field number and writer. Unlisted members are
 * omitted.
 */
export interface Message {
  readonly fields: Readonly<Record<string, readonly [number: number, field: Field]>>;
  /** Number of the field of vendor extensions. */
  readonly extensions?: number;
}

/** Writes an object as a message. */
export function encodeMessage(message: Message, value: JsonObject): Uint8Array {
  const writer = new ProtobufWriter();
  writeFields(writer, message, value);
  return writer.finish();
}

function writeFields(writer: ProtobufWriter, { fields, extensions }: Message, value: JsonObject): void {
  for (const name in fields) {
    const member = value[name];
    if (member === undefined) continue;
    const [number, field] = fields[name] as Message['fields'][string];
    field(writer, number, member);
  }
  if (extensions === undefined) return;
  for (const name in value)
    if (name.startsWith('x-')) writePair(writer, extensions, any, name, value[name] as JsonValue);
}

/** The type of a field on the wire, which its key has besides its number. */
const VARINT = 0;
const EIGHT_BYTES = 1;
const DELIMITED = 2;

const key = (writer: ProtobufWriter, number: number, wireType: number): ProtobufWriter =>
  writer.uint32(number * 8 + wireType);

/** Writes a UTF-8 string. */
export const text: Field = (writer, number, value) => {
  key(writer, number, DELIMITED).string(String(value));
};

/** Writes a boolean. */
export const flag: Field = (writer, number, value) => {
  key(writer, number, VARINT).bool(value === true);
};

/** Writes a double. */
export const double: Field = (writer, number, value) => {
  key(writer, number, EIGHT_BYTES).double(Number(value));
};

/** Writes an int64; schemas contain no negative ones. */
export const count: Field = (writer, number, value) => {
  const found = Math.trunc(Number(value));
  key(writer, number, VARINT).int64(found > 0 && found < Number.POSITIVE_INFINITY ? found : 0);
};

/** Writes any value as YAML. */
export const any: Field = (writer, number, value) => {
  const message = key(writer, number, DELIMITED).fork();
  text(message, 2, encodeYamlText(value));
  message.ldelim();
};

/** Writes each item of a list. */
export const each =
  (field: Field): Field =>
  (writer, number, value) => {
    for (const item of Array.isArray(value) ? value : [value]) field(writer, number, item);
  };

/** Writes a message; resolved lazily, since schemas are recursive. */
export const message =
  (of: () => Message): Field =>
  (writer, number, value) => {
    key(writer, number, DELIMITED).fork();
    if (isJsonObject(value)) writeFields(writer, of(), value);
    writer.ldelim();
  };

/** Writes a message whose only field is the value. */
export const inside =
  (fieldNumber: number, field: Field): Field =>
  (writer, number, value) => {
    key(writer, number, DELIMITED).fork();
    field(writer, fieldNumber, value);
    writer.ldelim();
  };

/** Writes each member of an object as a pair of name and value. */
export const named =
  (field: Field): Field =>
  (writer, number, value) => {
    if (!isJsonObject(value)) return;
    for (const name in value) writePair(writer, number, field, name, value[name] as JsonValue);
  };

function writePair(
  writer: ProtobufWriter,
  number: number,
  field: Field,
  name: string,
  value: JsonValue,
): void {
  key(writer, number, DELIMITED).fork();
  text(writer, 1, name);
  field(writer, 2, value);
  writer.ldelim();
}

/** What is before a message in a field. */
export function messageHead(fieldNumber: number, length: number): Uint8Array {
  return key(new ProtobufWriter(), fieldNumber, DELIMITED).uint32(length).finish();
}
