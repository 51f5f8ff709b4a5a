import { isJsonObject, itemsByKeys, type JsonValue, jsonEqual, ownMember, type Schema } from '@ashlar/core';
import { memberSchema } from '../structural/member-schema.ts';

/**
 * A new value with the old one that it replaces, for validation ratcheting (semantics/schemas#ratcheting).
 * Parts correlate by property, by key of a map, and in list maps by the values of their keys; other items do
 * not.
 */
export class Correlation {
  readonly value: JsonValue;
  readonly old: JsonValue;
  readonly #schema: Schema;
  /** Made on demand, as most are of scalars. */
  #children: Map<string | number, Correlation | undefined> | undefined;
  #oldItems: ((item: JsonValue) => JsonValue | undefined) | undefined;
  #equal: boolean | undefined;

  constructor(value: JsonValue, old: JsonValue, schema: Schema) {
    this.value = value;
    this.old = old;
    this.#schema = schema;
  }

  /** A member of an object that both have and the schema describes. */
  field(name: string): Correlation | undefined {
    return this.#child(name, () => {
      if (!isJsonObject(this.value) || !isJsonObject(this.old)) return undefined;
      const value = ownMember(this.value, name);
      const old = ownMember(this.old, name);
      const schema = memberSchema(this.#schema, name);
      return value === undefined || old === undefined || !schema
        ? undefined
        : new Correlation(value, old, schema);
    });
  }

  /** An item of a list whose old version is found by its keys. */
  item(index: number): Correlation | undefined {
    return this.#child(index, () => {
      if (this.#schema.listType !== 'map' || !this.#schema.items) return undefined;
      if (!Array.isArray(this.value) || !Array.isArray(this.old)) return undefined;
      const value = this.value[index] as JsonValue;
      const old = this.#oldItem(value);
      return old === undefined ? undefined : new Correlation(value, old, this.#schema.items);
    });
  }

  /**
   * Whether old and new are equal. Members that the schema does not describe make an object unequal, and
   * items of list maps may be in another order.
   */
  equal(): boolean {
    this.#equal ??= this.#compare();
    return this.#equal;
  }

  #compare(): boolean {
    const { value, old } = this;
    if (Array.isArray(value) && Array.isArray(old)) return this.#itemsEqual(value, old);
    if (isJsonObject(value) && isJsonObject(old)) {
      const keys = Object.keys(value);
      return (
        keys.length === Object.keys(old).length && keys.every((key) => this.field(key)?.equal() ?? false)
      );
    }
    return jsonEqual(value, old);
  }

  #itemsEqual(value: readonly JsonValue[], old: readonly JsonValue[]): boolean {
    if (value.length !== old.length) return false;
    if (this.#schema.listType !== 'map') return jsonEqual(value, old);
    return value.every((_, index) => this.item(index)?.equal() ?? false);
  }

  #child(step: string | number, make: () => Correlation | undefined): Correlation | undefined {
    this.#children ??= new Map();
    const known = this.#children.get(step);
    if (known || this.#children.has(step)) return known;
    const child = make();
    this.#children.set(step, child);
    return child;
  }

  #oldItem(item: JsonValue): JsonValue | undefined {
    this.#oldItems ??= itemsByKeys(this.old as readonly JsonValue[], this.#schema.listMapKeys ?? []);
    return this.#oldItems(item);
  }
}
