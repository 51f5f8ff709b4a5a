import { encodeUtf8, encodeYamlText } from '@ashlar/codec';
import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import { concatenated } from '../encoding/concatenated.ts';

/** Bytes of a message, in the order in which they were written. */
class MessageWriter {
  readonly #chunks: Uint8Array[] = [];

  varint(value: number): void {
    const bytes: number[] = [];
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
    this.#add(Uint8Array.from([...bytes, rest]));
  }

  key(field: number, wireType: number): void {
    this.varint(field * 8 + wireType);
  }

  double(value: number): void {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    this.#add(bytes);
  }

  bytes(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.#add(bytes);
  }

  finish(): Uint8Array {
    return concatenated(this.#chunks);
  }

  #add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }
}

/** Writes a value as a field of that number. */
export type Field = (writer: FieldWriter, number: number, value: JsonValue) => void;

/** Destination of {@link Field}s. */
type FieldWriter = Pick<MessageWriter, 'key' | 'varint' | 'double' | 'bytes'>;

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
  const writer = new MessageWriter();
  for (const [name, [number, field]] of Object.entries(message.fields)) {
    const member = value[name];
    if (member !== undefined) field(writer, number, member);
  }
  if (message.extensions !== undefined) {
    for (const [name, member] of Object.entries(value))
      if (name.startsWith('x-')) named(any)(writer, message.extensions, { [name]: member as JsonValue });
  }
  return writer.finish();
}

const length = (writer: FieldWriter, number: number, bytes: Uint8Array): void => {
  writer.key(number, 2);
  writer.bytes(bytes);
};

/** Writes a UTF-8 string. */
export const text: Field = (writer, number, value) => length(writer, number, encodeUtf8(String(value)));

/** Writes a boolean. */
export const flag: Field = (writer, number, value) => {
  writer.key(number, 0);
  writer.varint(value === true ? 1 : 0);
};

/** Writes a double. */
export const double: Field = (writer, number, value) => {
  writer.key(number, 1);
  writer.double(Number(value));
};

/** Writes an int64; schemas contain no negative ones. */
export const count: Field = (writer, number, value) => {
  writer.key(number, 0);
  writer.varint(Math.max(0, Math.trunc(Number(value))));
};

/** Writes any value as YAML. */
export const any: Field = (writer, number, value) =>
  length(writer, number, encodeMessage({ fields: { yaml: [2, text] } }, { yaml: encodeYamlText(value) }));

/** Writes each item of a list. */
export const each =
  (field: Field): Field =>
  (writer, number, value) => {
    for (const item of Array.isArray(value) ? value : [value]) field(writer, number, item);
  };

/** Writes a message; resolved lazily, since schemas are recursive. */
export const message =
  (of: () => Message): Field =>
  (writer, number, value) =>
    length(writer, number, encodeMessage(of(), isJsonObject(value) ? value : {}));

/** Writes a message whose only field is the value. */
export const inside =
  (fieldNumber: number, field: Field): Field =>
  (writer, number, value) =>
    length(writer, number, encodeMessage({ fields: { value: [fieldNumber, field] } }, { value }));

/** Writes each member of an object as a pair of name and value. */
export const named =
  (field: Field): Field =>
  (writer, number, value) => {
    for (const [name, member] of Object.entries(isJsonObject(value) ? value : {})) {
      const pair = { fields: { name: [1, text], value: [2, field] } } as const satisfies Message;
      length(writer, number, encodeMessage(pair, { name, value: member as JsonValue }));
    }
  };

/** What is before a message in a field. */
export function messageHead(fieldNumber: number, length: number): Uint8Array {
  const writer = new MessageWriter();
  writer.key(fieldNumber, 2);
  writer.varint(length);
  return writer.finish();
}
