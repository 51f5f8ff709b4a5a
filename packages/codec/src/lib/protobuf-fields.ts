import { compareUtf8, isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import { mismatch, type ValueCodec } from './protobuf-values.ts';
import {
  createSubReader,
  expectWireType,
  type Reader,
  readFields,
  WireType,
  type Writer,
  writeKey,
} from './protobuf-wire.ts';

/** What was read of a message so far, by JSON name. */
export type Found = Record<string, JsonValue>;

/** A field of a message and the member of the JSON object that it is. */
export interface FieldCodec {
  readonly name: string;
  readonly tag: number;
  write(writer: Writer, object: JsonObject): void;
  read(reader: Reader, wireType: number, found: Found): void;
  /** The member of the JSON object, undefined where it is left out. */
  finish(value: JsonValue | undefined): JsonValue | undefined;
}

/** What the schema of a member says about its presence. */
export interface FieldPresence {
  readonly optional: boolean;
  readonly alwaysPrinted: boolean;
}

/** A field of one value. */
export function singleField(
  name: string,
  tag: number,
  codec: ValueCodec,
  presence: FieldPresence,
): FieldCodec {
  const { optional, alwaysPrinted } = presence;
  return {
    name,
    tag,
    write(writer, object) {
      const value = object[name] ?? undefined;
      if (value === undefined && (optional || codec.nilable)) return;
      codec.write(writeKey(writer, tag, codec.wireType), value);
    },
    read(reader, wireType, found) {
      expectWireType(wireType, codec.wireType, name);
      found[name] = codec.read(reader);
    },
    finish(value) {
      if (optional) return value ?? (alwaysPrinted ? null : undefined);
      if (codec.structural || alwaysPrinted) return value ?? codec.zero();
      return value === undefined || value === '' || value === codec.zero() ? undefined : value;
    },
  };
}

/** A field that repeats, one for each item of a list. */
export function listField(name: string, tag: number, codec: ValueCodec, presence: FieldPresence): FieldCodec {
  return {
    name,
    tag,
    write(writer, object) {
      const list = object[name];
      if (list === undefined || list === null) return;
      if (!Array.isArray(list)) throw mismatch('array', list as JsonValue);
      for (const item of list) codec.write(writeKey(writer, tag, codec.wireType), item ?? undefined);
    },
    read(reader, wireType, found) {
      found[name] ??= [];
      const list = found[name] as JsonValue[];
      if (wireType === WireType.bytes && codec.wireType !== WireType.bytes) {
        const packed = createSubReader(reader);
        while (packed.pos < packed.len) list.push(codec.read(packed));
        return;
      }
      expectWireType(wireType, codec.wireType, name);
      list.push(codec.read(reader));
    },
    finish: (value) => value ?? (presence.alwaysPrinted ? null : undefined),
  };
}

/** A field that repeats with key and value, in the order of the keys. */
export function mapField(name: string, tag: number, codec: ValueCodec, presence: FieldPresence): FieldCodec {
  return {
    name,
    tag,
    write(writer, object) {
      const map = object[name];
      if (map === undefined || map === null) return;
      if (!isJsonObject(map)) throw mismatch('object', map);
      for (const key of Object.keys(map).sort(compareUtf8)) {
        writeKey(writer, tag, WireType.bytes).fork();
        writeKey(writer, 1, WireType.bytes).string(key);
        codec.write(writeKey(writer, 2, codec.wireType), map[key] ?? undefined);
        writer.ldelim();
      }
    },
    read(reader, wireType, found) {
      expectWireType(wireType, WireType.bytes, name);
      found[name] ??= {};
      const { key, value } = readEntry(reader.bytes(), name, codec);
      Object.defineProperty(found[name], key, {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    },
    finish: (value) => value ?? (presence.alwaysPrinted ? null : undefined),
  };
}

function readEntry(bytes: Uint8Array, name: string, codec: ValueCodec): { key: string; value: JsonValue } {
  let key = '';
  let value: JsonValue | undefined;
  readFields(bytes, name, (reader, tag, wireType) => {
    if (tag === 1) key = reader.string();
    else if (tag === 2) {
      expectWireType(wireType, codec.wireType, name);
      value = codec.read(reader);
    } else reader.skipType(wireType);
  });
  return { key, value: value ?? (codec.nilable ? '' : codec.zero()) };
}
