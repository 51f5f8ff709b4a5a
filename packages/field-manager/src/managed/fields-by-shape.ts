import { doneSteps, isJsonObject, type JsonObject, type JsonValue, type Steps } from '@ashlar/core';
import type { FieldType } from '../typed/field-type.ts';
import { ShapeTree } from '../values/shape-tree.ts';

/** Members of the remembered shapes, of which these are few: there is a manager for every endpoint, and users may make thousands of types. */
const CAPACITY = 512;

/**
 * The fields that objects name, by the shape of the objects. Most objects of a kind are written by programs, with the same members
 * again and again, and which fields they have does not depend on the values.
 */
export class FieldsByShape<Fields> {
  #type: FieldType | undefined;
  #fields: ShapeTree<Fields> = new ShapeTree();

  /**
   * Returns the fields of an object, which are found out if its shape is new.
   * @param type those of another type are forgotten
   */
  of(object: JsonObject, type: FieldType, find: () => Steps<Fields>): Steps<Fields> {
    const known = type === this.#type ? this.#fields.get(object) : undefined;
    return known === undefined ? this.#find(object, type, find) : doneSteps(known);
  }

  *#find(object: JsonObject, type: FieldType, find: () => Steps<Fields>): Steps<Fields> {
    const fields = yield* find();
    if (fields !== undefined) this.#remember(object, type, fields);
    return fields;
  }

  #remember(object: JsonObject, type: FieldType, fields: Fields): void {
    if (type !== this.#type || this.#fields.size >= CAPACITY) this.#fields = new ShapeTree();
    this.#type = type;
    this.#fields.set(object, fields);
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
