import { isJsonObject, type JsonObject, type JsonValue, type Schema } from '@ashlar/core';
import { mapItems, mapMembers } from './copy-on-write.ts';

/** Takes the path of a field that is dropped: `spec.foo`, `spec.list[0].bar`, `spec.map.key`. */
export type ReportUnknownField = (path: string) => void;

/** What every object has. */
export const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * The value without the fields that its schema does not know (semantics H3); itself where there are none. The paths of what
 * is dropped are reported, sorted. What every object has is kept at the root and in embedded resources.
 */
export function pruneUnknown(value: JsonValue, schema: Schema, report: ReportUnknownField): JsonValue {
  const paths: string[] = [];
  const root: Schema = { ...schema, embeddedResource: true };
  const pruned = new Pruner(paths).value(value, root, '');
  for (const path of paths.sort()) report(path);
  return pruned;
}

/** Like `pruneUnknown`, for a value that is no object of its own; nothing is reported. */
export function pruneInside(value: JsonValue, schema: Schema): JsonValue {
  return new Pruner([]).value(value, schema, '');
}

class Pruner {
  readonly #paths: string[];

  constructor(paths: string[]) {
    this.#paths = paths;
  }

  value(value: JsonValue, schema: Schema, path: string): JsonValue {
    if (Array.isArray(value)) {
      const { items } = schema;
      if (!items) return schema.preserveUnknownFields ? value : this.#withoutSchema(value, path);
      return mapItems(value, (item, index) => this.#item(item, schema, items, `${path}[${index}]`));
    }
    return isJsonObject(value) ? this.#members(value, schema, path) : value;
  }

  /** Where a list keeps unknown fields, its items do too; they may not say so themselves. */
  #item(item: JsonValue, list: Schema, items: Schema, path: string): JsonValue {
    if (!list.preserveUnknownFields) return this.value(item, items, path);
    return this.value(item, { ...items, preserveUnknownFields: true }, path);
  }

  #members(object: JsonObject, schema: Schema, path: string): JsonObject {
    const { properties = {}, additionalProperties } = schema;
    return mapMembers(object, (key, member) => {
      if (schema.embeddedResource && META_FIELDS.has(key)) return member;
      const inside = path === '' ? key : `${path}.${key}`;
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (property) return this.value(member, property, inside);
      if (typeof additionalProperties === 'object') return this.value(member, additionalProperties, inside);
      if (additionalProperties !== undefined) return this.#withoutSchema(member, inside);
      if (schema.preserveUnknownFields) return member;
      this.#paths.push(inside);
      return undefined;
    });
  }

  /** Every field of every object is unknown. Walks without recursion, as nothing bounds the depth. */
  #withoutSchema(value: JsonValue, path: string): JsonValue {
    if (isJsonObject(value)) return this.#members(value, {}, path);
    if (!Array.isArray(value)) return value;
    const root: JsonValue[] = [];
    const waiting = [{ from: value as readonly JsonValue[], to: root, path }];
    for (let list = waiting.pop(); list; list = waiting.pop()) {
      for (const [index, item] of list.from.entries()) {
        const inside = `${list.path}[${index}]`;
        if (Array.isArray(item)) {
          const copy: JsonValue[] = [];
          list.to.push(copy);
          waiting.push({ from: item, to: copy, path: inside });
        } else list.to.push(isJsonObject(item) ? this.#members(item, {}, inside) : item);
      }
    }
    return root;
  }
}
