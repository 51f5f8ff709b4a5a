import { doneSteps, isJsonObject, type JsonObject, type JsonValue, type Steps } from '@ashlar/core';
import type { FieldType } from '../typed/field-type.ts';
import { isLarge } from '../values/large-parts.ts';

/** Few and short: there is a manager for every endpoint, and users may make thousands of types. */
const CAPACITY = 16;
/** Characters of a shape. */
const MAXIMUM_LENGTH = 600;

/**
 * The fields that objects name, by the shape of the objects. Most objects of a kind are written by programs, with the same members
 * again and again, and which fields they have does not depend on the values.
 */
export class FieldsByShape<Fields> {
  #type: FieldType | undefined;
  #fields: Map<string, Fields> = new Map();

  /**
   * Returns the fields of an object, which are found out if its shape is new.
   * @param type those of another type are forgotten
   */
  of(object: JsonObject, type: FieldType, find: () => Steps<Fields>): Steps<Fields> {
    const shape = shapeOf(object);
    const known = shape !== undefined && type === this.#type ? this.#fields.get(shape) : undefined;
    return known === undefined ? this.#find(shape, type, find) : doneSteps(known);
  }

  *#find(shape: string | undefined, type: FieldType, find: () => Steps<Fields>): Steps<Fields> {
    const fields = yield* find();
    if (shape === undefined || fields === undefined) return fields;
    if (type !== this.#type || this.#fields.size >= CAPACITY) this.#fields = new Map();
    this.#type = type;
    this.#fields.set(shape, fields);
    return fields;
  }
}

/** Whether a base of new objects names nothing but its kind: where it has values, what a new object changes depends on values too. */
export function isWithoutValues({ apiVersion: _, kind: __, ...fields }: JsonObject): boolean {
  return hasNoValues(fields);
}

function hasNoValues(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || (isJsonObject(value) && Object.values(value).every(hasNoValues));
}

/**
 * The names of all members with the kinds of their values. Undefined for objects with lists, whose items may be known by what they
 * contain, and for others that are not remembered.
 */
export function shapeOf(object: JsonObject): string | undefined {
  return isLarge(object) ? undefined : withShape(object, '');
}

function withShape(value: JsonValue, before: string): string | undefined {
  if (before.length > MAXIMUM_LENGTH) return undefined;
  if (!isJsonObject(value)) {
    const kind = kindOf(value);
    return kind && before + kind;
  }
  let shape: string | undefined = `${before}{`;
  for (const name in value) {
    shape = withShape(value[name] as JsonValue, `${shape}${name.length}:${name}`);
    if (shape === undefined) return undefined;
  }
  return `${shape}}`;
}

function kindOf(value: JsonValue | undefined): string | undefined {
  switch (typeof value) {
    case 'string':
      return 's';
    case 'boolean':
      return 'b';
    case 'number':
      return Number.isInteger(value) ? 'i' : 'n';
    default:
      return value === null ? '0' : undefined;
  }
}
