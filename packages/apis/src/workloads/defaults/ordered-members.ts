import type { JsonObject, JsonValue } from '@ashlar/core';
import type { Constant } from './constant.ts';
import type { PartFiller } from './filler.ts';

/** What there is to fill of a field. */
export interface Field {
  readonly name: string;
  /** In the order of its type. */
  readonly position: number;
  readonly constant: Constant | undefined;
  readonly fill: PartFiller | undefined;
}

/** Members of an object in the order of its type, in which most of them come. */
export class OrderedMembers {
  readonly #fields: Field[] = [];
  readonly #values: JsonValue[] = [];

  add(field: Field, value: JsonValue): void {
    const fields = this.#fields;
    const values = this.#values;
    let at = fields.length;
    for (; at > 0 && (fields[at - 1] as Field).position > field.position; at--) {
      fields[at] = fields[at - 1] as Field;
      values[at] = values[at - 1] as JsonValue;
    }
    fields[at] = field;
    values[at] = value;
  }

  toObject(): JsonObject {
    const object: Record<string, JsonValue> = {};
    for (let at = 0; at < this.#fields.length; at++)
      object[(this.#fields[at] as Field).name] = this.#values[at] as JsonValue;
    return object;
  }
}
