import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import type { FieldSet } from '../fieldpath/field-set.ts';
import type { FieldType } from '../typed/field-type.ts';

/** Few and short: there is a manager for every endpoint, and users may make thousands of types. */
const CAPACITY = 16;
/** Characters of a shape. */
const MAXIMUM_LENGTH = 600;

/**
 * The fields that a new object gives its manager, by its shape. Most objects of a kind are made by programs, with the same members
 * again and again, and which fields they have does not depend on the values.
 */
export class FieldsByShape {
  readonly #isUsable: boolean;
  #type: FieldType | undefined;
  #fields: Map<string, FieldSet> = new Map();

  /** @param nothing what new objects are compared to: if it has values, fields depend on values too, and nothing is found */
  constructor(nothing: JsonObject) {
    const { apiVersion: _, kind: __, ...fields } = nothing;
    this.#isUsable = hasNoValues(fields);
  }

  /** The shape to look up and to remember by; undefined for an object that is not remembered. */
  shapeOf(object: JsonObject): string | undefined {
    return this.#isUsable ? shapeOf(object, '') : undefined;
  }

  get(type: FieldType, shape: string): FieldSet | undefined {
    return type === this.#type ? this.#fields.get(shape) : undefined;
  }

  /** @param type those of another type are forgotten */
  set(type: FieldType, shape: string, fields: FieldSet): void {
    if (type !== this.#type || this.#fields.size >= CAPACITY) this.#fields = new Map();
    this.#type = type;
    this.#fields.set(shape, fields);
  }
}

function hasNoValues(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || (isJsonObject(value) && Object.values(value).every(hasNoValues));
}

/** Appends the names of all members with the kinds of their values. Lists are left out: their items may be known by what they contain. */
function shapeOf(value: JsonValue, before: string): string | undefined {
  if (before.length > MAXIMUM_LENGTH) return undefined;
  if (!isJsonObject(value)) {
    const kind = kindOf(value);
    return kind && before + kind;
  }
  let shape: string | undefined = `${before}{`;
  for (const name in value) {
    shape = shapeOf(value[name] as JsonValue, `${shape}${name.length}:${name}`);
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
