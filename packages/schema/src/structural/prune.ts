import {
  doneSteps,
  isJsonObject,
  type JsonValue,
  MAXIMUM_FIELD_ERRORS,
  runAtOnce,
  type Schema,
  type Steps,
} from '@ashlar/core';
import { mapItems, mapItemsSteps, mapMembers, mapMembersSteps } from './copy-on-write.ts';
import { findLargeValues, isPausePoint, type LargeValues } from './large-values.ts';

/** Called with the path of each dropped field: `spec.foo`, `spec.list[0].bar`, `spec.map.key`. */
export type ReportUnknownField = (path: string) => void;

/** Fields of every object. */
export const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Removes unknown fields (semantics/schemas#pruning); returns the value itself if there are none. The paths
 * of dropped fields are reported, sorted; at most the first hundred found. The fields of every object are
 * preserved at the root and in embedded resources.
 */
export function pruneUnknown(value: JsonValue, schema: Schema, report: ReportUnknownField): JsonValue {
  const pruner = new Pruner();
  const pruned = pruner.value(value, { ...schema, embeddedResource: true }, '');
  pruner.reportTo(report);
  return pruned;
}

/** Like `pruneUnknown`, with pauses. */
export function* pruneUnknownSteps(
  value: JsonValue,
  schema: Schema,
  report: ReportUnknownField,
): Steps<JsonValue> {
  const pruner = new Pruner();
  const large = yield* findLargeValues(value);
  const root: Schema = { ...schema, embeddedResource: true };
  const pruned = large.has(value)
    ? yield* pruner.valueSteps(value, root, '', large)
    : pruner.value(value, root, '');
  pruner.reportTo(report);
  return pruned;
}

/** Like `pruneUnknown`, for a value that is not a resource root; nothing is reported. */
export function pruneInside(value: JsonValue, schema: Schema): JsonValue {
  return new Pruner().value(value, schema, '');
}

/**
 * Treatment of a member: preserved, dropped, or pruned by a schema, where no schema means that all its fields
 * are unknown.
 */
type Fate = 'kept' | 'dropped' | Schema | undefined;

class Pruner {
  readonly #paths: string[] = [];

  reportTo(report: ReportUnknownField): void {
    for (const path of this.#paths.sort()) report(path);
  }

  value(value: JsonValue, schema: Schema, path: string): JsonValue {
    if (Array.isArray(value)) {
      if (!schema.items)
        return schema.preserveUnknownFields ? value : runAtOnce(this.#unknownItems(value, path));
      const items = itemsSchema(schema, schema.items);
      return mapItems(value, (item, index) => this.value(item, items, `${path}[${index}]`));
    }
    if (!isJsonObject(value)) return value;
    return mapMembers(value, (key, member) => this.#member(schema, key, member, path));
  }

  /** The same for a large value. */
  valueSteps(value: JsonValue, schema: Schema, path: string, large: LargeValues): Steps<JsonValue> {
    if (isJsonObject(value)) {
      return mapMembersSteps(
        value,
        (key, member) => this.#member(schema, key, member, path),
        (key, member) =>
          large.has(member) ? this.#memberSteps(schema, key, member, path, large) : undefined,
      );
    }
    const list = value as readonly JsonValue[];
    if (!schema.items)
      return schema.preserveUnknownFields ? doneSteps(value) : this.#unknownItems(list, path);
    const items = itemsSchema(schema, schema.items);
    return mapItemsSteps(
      list,
      (item, index) => this.value(item, items, `${path}[${index}]`),
      (index, item) =>
        large.has(item) ? this.valueSteps(item, items, `${path}[${index}]`, large) : undefined,
    );
  }

  #member(schema: Schema, key: string, member: JsonValue, path: string): JsonValue | undefined {
    const fate = fateOf(schema, key);
    if (fate === 'kept') return member;
    const inside = path === '' ? key : `${path}.${key}`;
    return fate === 'dropped' ? this.#drop(inside) : this.value(member, fate ?? {}, inside);
  }

  *#memberSteps(
    schema: Schema,
    key: string,
    member: JsonValue,
    path: string,
    large: LargeValues,
  ): Steps<JsonValue | undefined> {
    const fate = fateOf(schema, key);
    if (fate === 'kept') return member;
    const inside = path === '' ? key : `${path}.${key}`;
    return fate === 'dropped'
      ? this.#drop(inside)
      : yield* this.valueSteps(member, fate ?? {}, inside, large);
  }

  #drop(path: string): undefined {
    if (this.#paths.length < MAXIMUM_FIELD_ERRORS) this.#paths.push(path);
  }

  /** Every field of every object is unknown. Not recursive, as the depth is unlimited. */
  *#unknownItems(value: readonly JsonValue[], path: string): Steps<JsonValue> {
    const root: JsonValue[] = [];
    const waiting = [{ from: value, to: root, path }];
    for (let list = waiting.pop(); list; list = waiting.pop()) {
      for (let index = 0; index < list.from.length; index++) {
        const item = list.from[index] as JsonValue;
        const inside = `${list.path}[${index}]`;
        if (Array.isArray(item)) {
          const copy: JsonValue[] = [];
          list.to.push(copy);
          waiting.push({ from: item, to: copy, path: inside });
        } else list.to.push(this.value(item, {}, inside));
        if (isPausePoint(item, index)) yield;
      }
    }
    return root;
  }
}

function fateOf(schema: Schema, key: string): Fate {
  const { properties, additionalProperties } = schema;
  if (schema.embeddedResource && META_FIELDS.has(key)) return 'kept';
  const property = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (property) return property;
  if (additionalProperties !== undefined)
    return typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return schema.preserveUnknownFields ? 'kept' : 'dropped';
}

/** If a list preserves unknown fields, its items do too; they may not say so themselves. */
const itemsSchema = (list: Schema, items: Schema): Schema =>
  list.preserveUnknownFields ? { ...items, preserveUnknownFields: true } : items;
