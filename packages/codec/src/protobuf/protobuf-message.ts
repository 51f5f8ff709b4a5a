import { isJsonObject, type JsonObject, type JsonValue, type Schema, type Steps } from '@ashlar/core';
import {
  type FieldCodec,
  type FieldPlace,
  type Found,
  listField,
  mapField,
  singleField,
} from './protobuf-fields.ts';
import { messageCodec, mismatch, scalarCodec, type ValueCodec } from './protobuf-values.ts';
import {
  type ReadBudget,
  readFields,
  readFieldsSteps,
  WireType,
  type Writer,
  writeKey,
} from './protobuf-wire.ts';

/** Reads and writes a message as fields of JSON objects. */
export interface Message {
  write(writer: Writer, object: JsonObject): void;
  /** As `write`, with pauses. */
  writeSteps(writer: Writer, object: JsonObject): Steps<void>;
  read(bytes: Uint8Array, budget: ReadBudget): JsonObject;
  /** As `read`, with pauses. */
  readSteps(bytes: Uint8Array, budget: ReadBudget): Steps<JsonObject>;
}

const messages = new WeakMap<Schema, Message>();

/**
 * The message of an object schema. Schemas may be recursive; each is compiled once.
 * @throws TypeError if the schema has no Protobuf form
 */
export function messageOf(schema: Schema): Message {
  const existing = messages.get(schema);
  if (existing) return existing;
  const name = schema.typeName?.split('.').at(-1) ?? 'object';
  const message = new LazyMessage(schema, name);
  messages.set(schema, message);
  return message;
}

/** Compiled on first use, so that a schema may be recursive. */
class LazyMessage implements Message {
  readonly #schema: Schema;
  readonly #name: string;
  #members: readonly FieldCodec[] = [];
  #layout: Layout | undefined;
  /** Characters of JSON for each absent field, by its position. */
  readonly #impliedBytes: number[] = [];
  /** What a message without fields stands for, unless that has parts of its own. */
  #empty: { readonly object: JsonObject; readonly impliedBytes: number } | undefined;

  constructor(schema: Schema, name: string) {
    this.#schema = schema;
    this.#name = name;
  }

  write(writer: Writer, object: JsonObject): void {
    writeLayout(this.#compiled(), writer, object);
  }

  writeSteps(writer: Writer, object: JsonObject): Steps<void> {
    return writeLayoutSteps(this.#compiled(), writer, object);
  }

  read(bytes: Uint8Array, budget: ReadBudget): JsonObject {
    const layout = this.#compiled();
    if (bytes.length === 0) return this.#readEmpty(budget);
    const found: Found = new Array(this.#members.length);
    readLayout(layout, this.#name, bytes, found, budget);
    return this.#finish(found, budget);
  }

  /** Copying an object costs much less than making it member by member: a body may have hundreds of thousands of empty messages. */
  #readEmpty(budget: ReadBudget): JsonObject {
    if (this.#empty) {
      budget.imply(this.#empty.impliedBytes);
      return { ...this.#empty.object };
    }
    const before = budget.impliedBytes;
    const object = this.#finish([], budget);
    if (Object.values(object).every((value) => typeof value !== 'object' || value === null))
      this.#empty = { object: { ...object }, impliedBytes: budget.impliedBytes - before };
    return object;
  }

  *readSteps(bytes: Uint8Array, budget: ReadBudget): Steps<JsonObject> {
    const layout = this.#compiled();
    const found: Found = new Array(this.#members.length);
    yield* readLayoutSteps(layout, this.#name, bytes, found, budget);
    return this.#finish(found, budget);
  }

  #finish(found: Found, budget: ReadBudget): JsonObject {
    const object: Record<string, JsonValue> = {};
    let implied = 0;
    for (const { name, position, finish } of this.#members) {
      const read = found[position];
      const value = finish(read);
      if (value === undefined) continue;
      object[name] = value;
      if (read === undefined) implied += this.#impliedBytes[position] ??= jsonBytes(name, value);
    }
    if (implied > 0) budget.imply(implied);
    return object;
  }

  #compiled(): Layout {
    if (this.#layout) return this.#layout;
    const layout: Layout = { fields: [], byTag: new Map() };
    const members: FieldCodec[] = [];
    for (const [name, property] of Object.entries(this.#schema.properties ?? {})) {
      const path = tagPath(property, name, this.#name);
      if (!path) continue;
      const field = fieldOf({ name, tag: path.at(-1) ?? 0, position: members.length }, property);
      members.push(field);
      place(layout, path, field);
    }
    sort(layout);
    this.#members = members;
    this.#layout = layout;
    return layout;
  }
}

/** The characters of a member in JSON, with what separates it. */
const jsonBytes = (name: string, value: JsonValue): number => JSON.stringify({ [name]: value }).length - 1;

/** Fields of one message, in the order of their numbers; embedded messages are fields of fields. */
interface Layout {
  readonly fields: Entry[];
  readonly byTag: Map<number, Entry>;
}
interface Entry {
  readonly tag: number;
  readonly field?: FieldCodec;
  readonly embedded?: Layout;
}

/**
 * The field numbers on the path to a field, outermost first; undefined for kind and apiVersion, which are in
 * the envelope.
 */
function tagPath(property: Schema, name: string, typeName: string): readonly number[] | undefined {
  const path = tagsOf(property);
  if (path.length > 0) return path;
  if (name === 'kind' || name === 'apiVersion') return undefined;
  throw new TypeError(`${typeName}.${name} has no Protobuf field number`);
}

const tagsOf = ({ tag = [] }: Schema): readonly number[] => (typeof tag === 'number' ? [tag] : tag);

function place(layout: Layout, [tag = 0, ...rest]: readonly number[], field: FieldCodec): void {
  if (rest.length === 0) {
    add(layout, { tag, field });
    return;
  }
  const embedded = layout.byTag.get(tag)?.embedded ?? { fields: [], byTag: new Map() };
  if (!layout.byTag.has(tag)) add(layout, { tag, embedded });
  place(embedded, rest, field);
}

function add(layout: Layout, entry: Entry): void {
  layout.fields.push(entry);
  layout.byTag.set(entry.tag, entry);
}

function sort(layout: Layout): void {
  layout.fields.sort((a, b) => a.tag - b.tag);
  for (const { embedded } of layout.fields) if (embedded) sort(embedded);
}

function writeLayout(layout: Layout, writer: Writer, object: JsonObject): void {
  for (const { tag, field, embedded } of layout.fields) {
    if (field) field.write(writer, object);
    else if (embedded) {
      writeKey(writer, tag, WireType.bytes).fork();
      writeLayout(embedded, writer, object);
      writer.ldelim();
    }
  }
}

function* writeLayoutSteps(layout: Layout, writer: Writer, object: JsonObject): Steps<void> {
  for (const { tag, field, embedded } of layout.fields) {
    if (field) {
      const more = field.writeSteps(writer, object);
      if (more) yield* more;
    } else if (embedded) {
      writeKey(writer, tag, WireType.bytes).fork();
      yield* writeLayoutSteps(embedded, writer, object);
      writer.ldelim();
    }
  }
}

function readLayout(
  layout: Layout,
  typeName: string,
  bytes: Uint8Array,
  found: Found,
  budget: ReadBudget,
): void {
  readFields(bytes, typeName, budget, (reader, tag, wireType) => {
    const entry = layout.byTag.get(tag);
    if (entry?.field) entry.field.read(reader, wireType, found, budget, false);
    else if (entry?.embedded && wireType === WireType.bytes)
      readLayout(entry.embedded, typeName, reader.bytes(), found, budget);
    else reader.skipType(wireType);
  });
}

function readLayoutSteps(
  layout: Layout,
  typeName: string,
  bytes: Uint8Array,
  found: Found,
  budget: ReadBudget,
): Steps<void> {
  return readFieldsSteps(bytes, typeName, budget, (reader, tag, wireType) => {
    const entry = layout.byTag.get(tag);
    if (entry?.field) return entry.field.read(reader, wireType, found, budget, true);
    if (entry?.embedded && wireType === WireType.bytes)
      return readLayoutSteps(entry.embedded, typeName, reader.bytes(), found, budget);
    reader.skipType(wireType);
    return undefined;
  });
}

function fieldOf(place: FieldPlace, schema: Schema): FieldCodec {
  const { name } = place;
  const presence = { optional: schema.optional === true, alwaysPrinted: schema.alwaysPrinted === true };
  if (schema.type === 'array' && schema.typeName === undefined)
    return listField(place, codecOf(itemsOf(schema, name), name), presence);
  const values = schema.additionalProperties;
  if (typeof values === 'object' && !schema.properties)
    return mapField(place, codecOf(values, name), presence);
  return singleField(place, codecOf(schema, name), presence);
}

function itemsOf(schema: Schema, name: string): Schema {
  if (schema.items) return schema.items;
  throw new TypeError(`${name}: a list without a schema of its items has no Protobuf form`);
}

function codecOf(schema: Schema, name: string): ValueCodec {
  const scalar = scalarCodec(schema);
  if (scalar) return scalar;
  if (schema.anyOf) return unionCodec(schema.anyOf, name);
  if (schema.type === 'array') return namedListCodec(schema, name);
  if (schema.properties) return objectCodec(messageOf(schema));
  throw new TypeError(`${name}: the schema has no Protobuf form`);
}

function objectCodec(message: Message): ValueCodec {
  return messageCodec(
    (writer, value = {}) => {
      if (!isJsonObject(value)) throw mismatch('object', value);
      message.write(writer, value);
    },
    (bytes, budget) => message.read(bytes, budget),
    (bytes, budget) => message.readSteps(bytes, budget),
    (writer, value = {}) => {
      if (!isJsonObject(value)) throw mismatch('object', value);
      return message.writeSteps(writer, value);
    },
  );
}

/** A named list type, and every list inside a map: a message whose first field repeats. */
function namedListCodec(schema: Schema, name: string): ValueCodec {
  const place = { name: 'items', tag: 1, position: 0 };
  const items = listField(place, codecOf(itemsOf(schema, name), name), {
    optional: false,
    alwaysPrinted: false,
  });
  const layout: Layout = {
    fields: [{ tag: 1, field: items }],
    byTag: new Map([[1, { tag: 1, field: items }]]),
  };
  return messageCodec(
    (writer, value) => items.write(writer, { items: value }),
    (bytes, budget) => {
      const found: Found = [];
      readLayout(layout, name, bytes, found, budget);
      return found[0] ?? null;
    },
    function* (bytes, budget) {
      const found: Found = [];
      yield* readLayoutSteps(layout, name, bytes, found, budget);
      return found[0] ?? null;
    },
    (writer, value) => writeLayoutSteps(layout, writer, { items: value ?? null }),
  );
}

/**
 * A value of several shapes: a message with one field for each branch. A boolean among other shapes is always
 * written and true for them (`additionalProperties` of published schemas is such a value).
 */
function unionCodec(branches: readonly Schema[], name: string): ValueCodec {
  const fields = branches.map((branch, position) => ({
    type: branch.type ?? 'object',
    field: fieldOf(
      { name: branch.type ?? 'object', tag: tagsOf(branch).at(-1) ?? 0, position },
      branch.type === 'boolean' ? branch : { ...branch, optional: true },
    ),
  }));
  const layout: Layout = { fields: fields.map(({ field }) => ({ tag: field.tag, field })), byTag: new Map() };
  for (const entry of layout.fields) layout.byTag.set(entry.tag, entry);
  sort(layout);
  const hasBoolean = fields.some(({ type }) => type === 'boolean');
  const finish = (found: Found): JsonValue => {
    const shape =
      fields.find(({ type, field }) => type !== 'boolean' && found[field.position] !== undefined) ??
      fields.find(({ type }) => type === 'boolean');
    return (shape && found[shape.field.position]) ?? (hasBoolean ? false : null);
  };
  const partsOf = (value: JsonValue | undefined): JsonObject => {
    const parts: Record<string, JsonValue> = hasBoolean
      ? { boolean: value !== false && value !== undefined }
      : {};
    if (value !== undefined && typeof value !== 'boolean') parts[shapeOf(value)] = value;
    return parts;
  };
  return messageCodec(
    (writer, value) => writeLayout(layout, writer, partsOf(value)),
    (bytes, budget) => {
      const found: Found = [];
      readLayout(layout, name, bytes, found, budget);
      return finish(found);
    },
    function* (bytes, budget) {
      const found: Found = [];
      yield* readLayoutSteps(layout, name, bytes, found, budget);
      return finish(found);
    },
    (writer, value) => writeLayoutSteps(layout, writer, partsOf(value)),
  );
}

function shapeOf(value: JsonValue): string {
  return Array.isArray(value) ? 'array' : typeof value;
}
