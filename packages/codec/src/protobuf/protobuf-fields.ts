import {
  compareUtf8,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Steps,
  setMember,
  sortSteps,
} from '@ashlar/core';
import { mismatch, type ValueCodec } from './protobuf-values.ts';
import {
  createSubReader,
  expectWireType,
  LARGE_BYTES,
  nextLength,
  type ReadBudget,
  type Reader,
  readFields,
  readFieldsSteps,
  WireType,
  type Writer,
  writeKey,
} from './protobuf-wire.ts';

/** Fields of a message decoded so far, each at its position. */
export type Found = (JsonValue | undefined)[];

/** A field of a message and the corresponding member of the JSON object. */
export interface FieldCodec {
  readonly name: string;
  /** Where its value is among those that were found. */
  readonly position: number;
  readonly tag: number;
  write(writer: Writer, object: JsonObject): void;
  /** As `write`. @returns what remains to be written, with pauses, if the value may be large */
  writeSteps(writer: Writer, object: JsonObject): Steps<void> | undefined;
  /** @returns remaining work with pauses, if the value is large and `pauses` is set */
  read(
    reader: Reader,
    wireType: number,
    found: Found,
    budget: ReadBudget,
    pauses: boolean,
  ): Steps<void> | undefined;
  /** The member of the JSON object, undefined if it is omitted. */
  finish(value: JsonValue | undefined): JsonValue | undefined;
}

/** How the schema of a member treats absence. */
export interface FieldPresence {
  readonly optional: boolean;
  readonly alwaysPrinted: boolean;
}

/** What names a field, in JSON and in Protobuf, and its position. */
export type FieldPlace = Pick<FieldCodec, 'name' | 'tag' | 'position'>;

/** A field of one value. */
export function singleField(
  { name, tag, position }: FieldPlace,
  codec: ValueCodec,
  presence: FieldPresence,
): FieldCodec {
  const { optional, alwaysPrinted } = presence;
  const isPrinted = codec.structural || alwaysPrinted;
  // a zero value that is printed may be a message, whose schema may be recursive
  const omitted = isPrinted ? undefined : codec.zero();
  return {
    ...{ name, tag, position },
    write(writer, object) {
      const value = object[name] ?? undefined;
      if (value === undefined && (optional || codec.nilable)) return;
      codec.write(writeKey(writer, tag, codec.wireType), value);
    },
    writeSteps(writer, object) {
      const value = object[name] ?? undefined;
      if (value !== undefined && codec.writeSteps)
        return codec.writeSteps(writeKey(writer, tag, codec.wireType), value);
      this.write(writer, object);
      return undefined;
    },
    read(reader, wireType, found, budget, pauses) {
      expectWireType(wireType, codec.wireType, name);
      const steps = pauses ? largeValue(reader, codec, budget) : undefined;
      if (steps)
        return andThen(steps, (value) => {
          found[position] = value;
        });
      found[position] = codec.read(reader, budget);
      return undefined;
    },
    finish(value) {
      if (optional) return value ?? (alwaysPrinted ? null : undefined);
      if (isPrinted) return value ?? codec.zero();
      return value === '' || value === omitted ? undefined : value;
    },
  };
}

/** A field that repeats, one for each item of a list. */
export function listField(
  { name, tag, position }: FieldPlace,
  codec: ValueCodec,
  presence: FieldPresence,
): FieldCodec {
  return {
    ...{ name, tag, position },
    write(writer, object) {
      const list = object[name];
      if (list === undefined || list === null) return;
      if (!Array.isArray(list)) throw mismatch('array', list as JsonValue);
      for (const item of list) codec.write(writeKey(writer, tag, codec.wireType), item ?? undefined);
    },
    writeSteps(writer, object) {
      const list = object[name];
      if (Array.isArray(list)) return writeItemsSteps(writer, tag, codec, list);
      this.write(writer, object);
      return undefined;
    },
    read(reader, wireType, found, budget, pauses) {
      found[position] ??= [];
      const list = found[position] as JsonValue[];
      if (wireType === WireType.bytes && codec.wireType !== WireType.bytes) {
        const packed = createSubReader(reader);
        for (; packed.pos < packed.len; budget.take()) list.push(codec.read(packed, budget));
        return undefined;
      }
      expectWireType(wireType, codec.wireType, name);
      const steps = pauses ? largeValue(reader, codec, budget) : undefined;
      if (steps) return andThen(steps, (value) => void list.push(value));
      list.push(codec.read(reader, budget));
      return undefined;
    },
    finish: (value) => value ?? (presence.alwaysPrinted ? null : undefined),
  };
}

function* writeItemsSteps(
  writer: Writer,
  tag: number,
  codec: ValueCodec,
  list: readonly JsonValue[],
): Steps<void> {
  for (const item of list) {
    const value = item ?? undefined;
    writeKey(writer, tag, codec.wireType);
    if (codec.writeSteps && value !== undefined) yield* codec.writeSteps(writer, value);
    else codec.write(writer, value);
    if (writer.isPauseDue()) yield;
  }
}

/** A field that repeats with key and value, in the order of the keys. */
export function mapField(
  { name, tag, position }: FieldPlace,
  codec: ValueCodec,
  presence: FieldPresence,
): FieldCodec {
  return {
    ...{ name, tag, position },
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
    writeSteps(writer, object) {
      const map = object[name];
      if (isJsonObject(map)) return writeEntriesSteps(writer, tag, codec, map);
      this.write(writer, object);
      return undefined;
    },
    read(reader, wireType, found, budget, pauses) {
      expectWireType(wireType, WireType.bytes, name);
      found[position] ??= {};
      const map = found[position] as Record<string, JsonValue>;
      budget.addTo(map);
      const bytes = reader.bytes();
      if (pauses && codec.parseSteps && bytes.length >= LARGE_BYTES)
        return readEntrySteps(bytes, name, codec, budget, (key, value) => setMember(map, key, value));
      const entry: Entry = { key: '', value: undefined };
      readFields(bytes, name, budget, (inner, tag, type) => {
        readEntryField(inner, tag, type, name, codec, budget, entry);
      });
      setMember(map, entry.key, entry.value ?? absentValue(codec));
      return undefined;
    },
    finish: (value) => value ?? (presence.alwaysPrinted ? null : undefined),
  };
}

function* writeEntriesSteps(writer: Writer, tag: number, codec: ValueCodec, map: JsonObject): Steps<void> {
  const keys = Object.keys(map);
  yield* sortSteps(keys, compareUtf8);
  for (const key of keys) {
    writeKey(writer, tag, WireType.bytes).fork();
    writeKey(writer, 1, WireType.bytes).string(key);
    const value = map[key] ?? undefined;
    writeKey(writer, 2, codec.wireType);
    if (codec.writeSteps && value !== undefined) yield* codec.writeSteps(writer, value);
    else codec.write(writer, value);
    writer.ldelim();
    if (writer.isPauseDue()) yield;
  }
}

/** A key with its value, as far as they were read. */
interface Entry {
  key: string;
  value: JsonValue | undefined;
}

function readEntryField(
  reader: Reader,
  tag: number,
  wireType: number,
  name: string,
  codec: ValueCodec,
  budget: ReadBudget,
  entry: Entry,
): void {
  if (tag === 1) entry.key = reader.string();
  else if (tag === 2) {
    expectWireType(wireType, codec.wireType, name);
    entry.value = codec.read(reader, budget);
  } else reader.skipType(wireType);
}

function* readEntrySteps(
  bytes: Uint8Array,
  name: string,
  codec: ValueCodec,
  budget: ReadBudget,
  set: (key: string, value: JsonValue) => void,
): Steps<void> {
  const entry: Entry = { key: '', value: undefined };
  yield* readFieldsSteps(bytes, name, budget, (reader, tag, wireType) => {
    const steps = tag === 2 && wireType === WireType.bytes ? largeValue(reader, codec, budget) : undefined;
    if (steps)
      return andThen(steps, (value) => {
        entry.value = value;
      });
    readEntryField(reader, tag, wireType, name, codec, budget, entry);
    return undefined;
  });
  set(entry.key, entry.value ?? absentValue(codec));
}

const absentValue = (codec: ValueCodec): JsonValue => (codec.nilable ? '' : codec.zero());

/** The next value, if it is a large message; else the reader does not move. */
function largeValue(reader: Reader, codec: ValueCodec, budget: ReadBudget): Steps<JsonValue> | undefined {
  if (!codec.parseSteps || nextLength(reader) < LARGE_BYTES) return undefined;
  return codec.parseSteps(reader.bytes(), budget);
}

function* andThen(steps: Steps<JsonValue>, use: (value: JsonValue) => void): Steps<void> {
  use(yield* steps);
}
