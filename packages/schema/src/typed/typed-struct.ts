import { deepFreeze, type JsonObject, type JsonValue, type Schema, type Steps } from '@ashlar/core';
import { isPausePoint } from '../structural/large-values.ts';
import { isPlain } from './typed-collection.ts';
import type { TypedContext } from './typed-context.ts';
import { largeSteps } from './typed-large.ts';
import type { CompileNode, TypedFieldShape, TypedInput, TypedNode } from './typed-node.ts';

/** One field of a struct. */
interface TypedField {
  readonly name: string;
  readonly node: TypedNode;
  /** A pointer: absence differs from the zero value. */
  readonly optional: boolean;
  /** Printed even when empty. */
  readonly always: boolean;
}

/** Names that precede all others at the root of an object (semantics/metadata#fields). */
const FIRST = ['kind', 'apiVersion', 'metadata'];

/**
 * A Go struct. `register` is called with the node before its fields are compiled, because types may be
 * recursive.
 */
export function structNode(
  schema: Schema,
  path: string,
  compile: CompileNode,
  register: (node: TypedNode) => void,
): TypedNode {
  const fields: TypedField[] = [];
  const positions = new Map<string, number>();
  const shapes = new Map<string, TypedFieldShape>();
  const owner = schema.typeName?.split('.').at(-1) ?? 'struct';
  const struct = new TypedStruct(schema, owner, fields, positions, shapes);
  register(struct);
  for (const [name, part] of inPrintedOrder(schema.properties ?? {}, path === '')) {
    const node = compile(part, path === '' ? name : `${path}.${name}`);
    const optional = part.optional ?? false;
    const always = (part.alwaysPrinted ?? false) || (node.shape.kind === 'struct' && !optional);
    positions.set(name, fields.length);
    shapes.set(name, { node, owner, nullResets: optional || node.nullResets });
    fields.push({ name, node, optional, always });
  }
  return struct;
}

function inPrintedOrder(properties: Readonly<Record<string, Schema>>, isRoot: boolean): [string, Schema][] {
  const entries = Object.entries(properties);
  if (!isRoot) return entries;
  const first = FIRST.flatMap((name) => entries.filter(([other]) => other === name));
  return [...first, ...entries.filter(([name]) => !FIRST.includes(name))];
}

class TypedStruct implements TypedNode {
  readonly shape: TypedNode['shape'];
  readonly nullResets: boolean = false;
  readonly #schema: Schema;
  readonly #owner: string;
  readonly #fields: readonly TypedField[];
  readonly #positions: ReadonlyMap<string, number>;
  #zero: JsonObject | undefined;
  #isPlain: boolean | undefined;

  constructor(
    schema: Schema,
    owner: string,
    fields: readonly TypedField[],
    positions: ReadonlyMap<string, number>,
    shapes: ReadonlyMap<string, TypedFieldShape>,
  ) {
    this.#schema = schema;
    this.#owner = owner;
    this.#fields = fields;
    this.#positions = positions;
    this.shape = { kind: 'struct', fields: shapes };
  }

  goType(): string {
    return this.#schema.typeName?.split('.').slice(-2).join('.') ?? 'struct';
  }

  zero(): JsonValue {
    this.#zero ??= deepFreeze(this.#print([]));
    return this.#zero;
  }

  isEmpty(): boolean {
    return false;
  }

  decode(value: TypedInput, context: TypedContext): JsonValue {
    if (value === null) return this.zero();
    if (typeof value !== 'object' || Array.isArray(value) || !isPlain(value)) {
      context.saveTypeError(value, 'struct', () => this.goType());
      return this.zero();
    }
    if (this.#isPrinted(value as JsonObject, context)) return value as JsonObject;
    const printed: (JsonValue | undefined)[] = new Array(this.#fields.length);
    for (const key in value as JsonObject) {
      const member = (value as JsonObject)[key];
      const position = this.#positionOf(key, member, context);
      if (position === undefined) continue;
      context.enter(key, this.#owner);
      const decoded = (this.#fields[position] as TypedField).node.decode(member as JsonValue, context);
      context.leave();
      this.#keep(printed, position, decoded);
    }
    return this.#print(printed);
  }

  *decodeSteps(value: TypedInput, context: TypedContext): Steps<JsonValue> {
    if (value === null || typeof value !== 'object' || Array.isArray(value) || !isPlain(value))
      return this.decode(value, context);
    const printed: (JsonValue | undefined)[] = new Array(this.#fields.length);
    let count = 0;
    for (const key in value as JsonObject) {
      const member = (value as JsonObject)[key];
      if (isPausePoint(member, count++)) yield;
      const position = this.#positionOf(key, member, context);
      if (position === undefined) continue;
      const { node } = this.#fields[position] as TypedField;
      context.enter(key, this.#owner);
      const steps = largeSteps(node, member as JsonValue, context);
      const decoded = steps ? yield* steps : node.decode(member as JsonValue, context);
      context.leave();
      this.#keep(printed, position, decoded);
    }
    return this.#print(printed);
  }

  /**
   * Whether a value has the form in which it is printed, so that it is decoded to itself: fields in their order, each of a type that
   * keeps all values, all that are always printed, and no empty one of the others. Lists may have tens of thousands of such.
   */
  #isPrinted(value: JsonObject, context: TypedContext): boolean {
    this.#isPlain ??= this.#fields.every(({ node }) => node.plain !== undefined);
    if (!this.#isPlain || Object.getPrototypeOf(value) !== Object.prototype) return false;
    let position = 0;
    let members = 0;
    for (const name in value) {
      position = this.#following(name, position);
      if (position < 0) return false;
      const { node, optional, always } = this.#fields[position++] as TypedField;
      const member = value[name];
      if (typeof member !== node.plain || !(member || optional || always)) return false;
      members++;
    }
    if (this.#following(undefined, position) < 0) return false;
    context.members += members;
    return true;
  }

  /** The position of a field from here, or of the end; negative if it is not there, or if one before it is always printed. */
  #following(name: string | undefined, from: number): number {
    for (let position = from; position < this.#fields.length; position++) {
      const field = this.#fields[position] as TypedField;
      if (field.name === name) return position;
      if (field.always) return -1;
    }
    return name === undefined ? this.#fields.length : -1;
  }

  /** Returns the position of the field that a member is decoded for; undefined if there is none, which is reported. */
  #positionOf(key: string, member: JsonValue | undefined, context: TypedContext): number | undefined {
    if (member === undefined) return undefined;
    context.members++;
    const position = this.#positions.get(key);
    if (position === undefined) {
      context.reportField('unknown', key);
      context.skip(member);
      return undefined;
    }
    return member === null && (this.#fields[position] as TypedField).optional ? undefined : position;
  }

  #keep(printed: (JsonValue | undefined)[], position: number, decoded: JsonValue): void {
    const { node, optional, always } = this.#fields[position] as TypedField;
    if (optional || always || !node.isEmpty(decoded)) printed[position] = decoded;
  }

  #print(printed: readonly (JsonValue | undefined)[]): JsonObject {
    const object: Record<string, JsonValue> = {};
    for (let i = 0; i < this.#fields.length; i++) {
      const { name, node, optional, always } = this.#fields[i] as TypedField;
      const value = printed[i];
      if (value !== undefined) object[name] = value;
      else if (always) object[name] = optional ? null : node.zero();
    }
    return object;
  }
}
