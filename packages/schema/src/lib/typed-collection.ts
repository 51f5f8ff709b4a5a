import { type JsonObject, type JsonValue, setMember } from '@ashlar/core';
import type { TypedContext } from './typed-context.ts';
import type { TypedInput, TypedNode } from './typed-node.ts';

/** A slice: null is the nil slice, `[]` an empty one. */
export function listNode(items: TypedNode): TypedNode {
  const goType = (): string => `[]${items.goType()}`;
  return {
    goType,
    shape: { kind: 'list', inside: items },
    nullResets: true,
    zero: () => null,
    isEmpty: (value) => value === null || (value as readonly JsonValue[]).length === 0,
    decode(value, context) {
      if (value === null) return null;
      if (Array.isArray(value)) return decodeItems(items, value, context);
      context.save(context.typeError(value, goType()));
      return null;
    },
  };
}

function decodeItems(items: TypedNode, value: readonly TypedInput[], context: TypedContext): JsonValue {
  const list: JsonValue[] = [];
  for (let i = 0; i < value.length; i++) {
    context.enter(i);
    list.push(items.decode(value[i] as TypedInput, context));
    context.leave();
  }
  return list;
}

/** A map: its keys print in their order. */
export function mapNode(values: TypedNode): TypedNode {
  const goType = (): string => `map[string]${values.goType()}`;
  return {
    goType,
    shape: { kind: 'map', inside: values },
    nullResets: true,
    zero: () => null,
    isEmpty: (value) => value === null || isEmptyObject(value as JsonObject),
    decode(value, context) {
      if (value === null) return null;
      if (typeof value === 'object' && !Array.isArray(value) && isPlain(value)) {
        return decodeEntries(values, value as JsonObject, context);
      }
      context.save(context.typeError(value, goType()));
      return null;
    },
  };
}

function decodeEntries(values: TypedNode, value: JsonObject, context: TypedContext): JsonValue {
  const keys = Object.keys(value);
  const map: Record<string, JsonValue> = {};
  for (const key of keys) {
    context.members++;
    context.enter(key);
    setMember(map, key, values.decode(value[key] ?? null, context));
    context.leave();
  }
  return isSorted(keys) ? map : sortedCopy(map, keys.sort());
}

function isSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] as string) > (keys[i] as string)) return false;
  return true;
}

function sortedCopy(map: JsonObject, keys: readonly string[]): JsonObject {
  const sorted: Record<string, JsonValue> = {};
  for (const key of keys) setMember(sorted, key, map[key] as JsonValue);
  return sorted;
}

/** Whether a value is a JSON object and not a number that wears a class. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isEmptyObject(value: JsonObject): boolean {
  for (const _ in value) return false;
  return true;
}
