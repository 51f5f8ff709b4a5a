import {
  isEmptyObject,
  type JsonObject,
  type JsonValue,
  memberNames,
  type Steps,
  setMember,
} from '@ashlar/core';
import { isPausePoint } from '../structural/large-values.ts';
import type { TypedContext } from './typed-context.ts';
import { largeSteps } from './typed-large.ts';
import { isSorted, sortedCopy } from './typed-map-order.ts';
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
      context.saveTypeError(value, 'slice', goType);
      return null;
    },
    *decodeSteps(value, context) {
      return Array.isArray(value)
        ? yield* decodeItemsSteps(items, value, context)
        : this.decode(value, context);
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

function* decodeItemsSteps(
  items: TypedNode,
  value: readonly TypedInput[],
  context: TypedContext,
): Steps<JsonValue> {
  const list: JsonValue[] = [];
  for (let i = 0; i < value.length; i++) {
    const item = value[i] as TypedInput;
    context.enter(i);
    const steps = largeSteps(items, item, context);
    list.push(steps ? yield* steps : items.decode(item, context));
    context.leave();
    if (isPausePoint(item as JsonValue, i)) yield;
  }
  return list;
}

/** A map: its keys are printed sorted. */
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
      context.saveTypeError(value, 'map', goType);
      return null;
    },
    *decodeSteps(value, context) {
      const isMap = typeof value === 'object' && value !== null && !Array.isArray(value) && isPlain(value);
      return isMap
        ? yield* decodeEntriesSteps(values, value as JsonObject, context)
        : this.decode(value, context);
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

function* decodeEntriesSteps(values: TypedNode, value: JsonObject, context: TypedContext): Steps<JsonValue> {
  const keys = memberNames(value);
  const map: Record<string, JsonValue> = {};
  for (const [i, key] of keys.entries()) {
    const member = value[key] ?? null;
    context.members++;
    context.enter(key);
    const steps = largeSteps(values, member, context);
    setMember(map, key, steps ? yield* steps : values.decode(member, context));
    context.leave();
    if (isPausePoint(member, i)) yield;
  }
  if (isSorted(keys)) return map;
  yield;
  return sortedCopy(map, keys.toSorted());
}

/** Whether a value is a JSON object and not a boxed number. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
