import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  ownMember,
  type Schema,
} from '@ashlar/core';

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
  #oldItems: ReadonlyMap<ItemKey, JsonValue> | undefined;
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
      const schema = this.#schemaOf(name);
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
      const key = keyOf(value, this.#schema.listMapKeys ?? []);
      const old = key === undefined ? undefined : this.#oldByKey().get(key);
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

  #schemaOf(name: string): Schema | undefined {
    const { properties, additionalProperties } = this.#schema;
    if (properties && Object.hasOwn(properties, name)) return properties[name];
    return typeof additionalProperties === 'object' ? additionalProperties : undefined;
  }

  #oldByKey(): ReadonlyMap<ItemKey, JsonValue> {
    if (this.#oldItems) return this.#oldItems;
    const items = new Map<ItemKey, JsonValue>();
    for (const item of this.old as readonly JsonValue[]) {
      const key = keyOf(item, this.#schema.listMapKeys ?? []);
      if (key !== undefined && !items.has(key)) items.set(key, item);
    }
    this.#oldItems = items;
    return items;
  }
}

/** The value of the only key, or a text of those of all. */
type ItemKey = string | number | bigint | boolean;

/** Items with a missing or non-scalar key have none. */
function keyOf(item: JsonValue, keys: readonly string[]): ItemKey | undefined {
  if (!isJsonObject(item)) return undefined;
  if (keys.length === 1) return scalarMember(item, keys[0] as string);
  const parts: string[] = [];
  for (const key of keys) {
    const value = scalarMember(item, key);
    if (value === undefined) return undefined;
    parts.push(typeof value === 'string' ? JSON.stringify(value) : String(value));
  }
  return parts.join(',');
}

function scalarMember(item: JsonObject, name: string): ItemKey | undefined {
  const value = ownMember(item, name);
  return value === null || typeof value === 'object' ? undefined : value;
}
