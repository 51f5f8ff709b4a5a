import { compareUtf8, type JsonObject } from '@ashlar/core';
import { sameType } from '../check/types.ts';
import { work } from '../cost/work.ts';
import { isMap, type MapValue, mapGet, mapKeyOf, mapKeys, workOfKey } from './maps.ts';
import { compareNumbers, numeric } from './numbers.ts';
import {
  Boxed,
  Double,
  Duration,
  isPlainObject,
  ListValue,
  listItems,
  ObjectValue,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './values.ts';

/** Size below which texts, lists and maps take negligible time. */
const FEW_CHARACTERS = 256;
const STEPS_PER_ELEMENT = 10;

/**
 * Whether two values are equal. Values of different types are unequal, never an error; numbers are compared
 * across types by value; NaN equals nothing.
 */
export function valuesEqual(a: Value, b: Value): boolean {
  if (typeof a === 'object' || typeof b === 'object') return compositesEqual(a, b);
  if (typeof a === 'string' && a.length > FEW_CHARACTERS) work(a.length >> 3);
  // Two primitives: only an int beyond 2^53 and an equal double may differ in form.
  return a === b || (typeof a !== typeof b && numeric(a) !== undefined && compareNumbers(a, b) === 0);
}

function compositesEqual(a: Value, b: Value): boolean {
  if (a === b && !hasParts(a)) return !(a instanceof Double && Number.isNaN(a.value));
  if (a === null || b === null) return false;
  if (a instanceof Double || a instanceof Uint || b instanceof Double || b instanceof Uint) {
    return compareNumbers(a, b) === 0;
  }
  if (a instanceof ListValue) return typedListsEqual(a, b);
  if (b instanceof ListValue) return typedListsEqual(b, a);
  if (Array.isArray(a)) return Array.isArray(b) && listsEqual(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (isMap(a)) return isMap(b) && mapsEqual(a, b);
  return a instanceof Boxed && b instanceof Boxed && boxesEqual(a, b);
}

/** Whether a value has parts, of which one may equal nothing: NaN, or an object with a field that is null. */
const hasParts = (value: Value): boolean =>
  Array.isArray(value) ||
  isMap(value) ||
  value instanceof ListValue ||
  value instanceof ObjectValue ||
  value instanceof Optional;

function typedListsEqual(a: ListValue, b: Value): boolean {
  const others = listItems(b);
  if (!others) return false;
  const own = a.equals(others) ?? (b instanceof ListValue ? b.equals(a.items) : undefined);
  return own ?? listsEqual(a.items, others);
}

/** Whether two lists have equal elements in the same order. */
export function listsEqual(a: readonly Value[], b: readonly Value[]): boolean {
  if (a.length !== b.length) return false;
  work(a.length * STEPS_PER_ELEMENT + 1);
  for (let i = 0; i < a.length; i++) if (!valuesEqual(a[i] as Value, b[i] as Value)) return false;
  return true;
}

function mapsEqual(a: JsonObject | MapValue, b: JsonObject | MapValue): boolean {
  const keys = mapKeys(a);
  if (keys.length !== mapKeys(b).length) return false;
  work(keys.length * STEPS_PER_ELEMENT * 5 + 1);
  for (const key of keys) {
    const normal = mapKeyOf(key);
    if (normal === undefined) return false;
    const mine = mapGet(a, normal);
    const other = mapGet(b, normal);
    if (mine === undefined || other === undefined || !valuesEqual(mine, other)) return false;
  }
  return true;
}

function boxesEqual(a: Boxed, b: Boxed): boolean {
  if (a instanceof Timestamp || a instanceof Duration) {
    return a.constructor === b.constructor && compareTimes(a, b as typeof a) === 0;
  }
  if (a instanceof Optional) return b instanceof Optional && optionalsEqual(a, b);
  if (a instanceof TypeValue)
    return b instanceof TypeValue && a.of.kind === b.of.kind && a.of.name === b.of.name;
  if (a instanceof ObjectValue)
    return b instanceof ObjectValue && sameType(a.type, b.type) && objectsEqual(a, b);
  return a instanceof Opaque && b instanceof Opaque && sameType(a.type, b.type) && a.equals(b);
}

function optionalsEqual(a: Optional, b: Optional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return valuesEqual(a.value, b.value);
}

function objectsEqual(a: ObjectValue, b: ObjectValue): boolean {
  const own = a.equals(b);
  if (own !== undefined) return own;
  const names = [...a.fields()];
  work(names.length * STEPS_PER_ELEMENT * 5 + 1);
  if (names.length !== [...b.fields()].length) return false;
  return names.every((name) => {
    const mine = a.get(name);
    const other = b.get(name);
    return mine !== undefined && other !== undefined && valuesEqual(mine, other);
  });
}

function compareTimes(a: Timestamp | Duration, b: Timestamp | Duration): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}

/** Order of two byte strings. */
function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  if (length > FEW_CHARACTERS) work(length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return (a[i] as number) - (b[i] as number);
  return a.length - b.length;
}

function compareTexts(a: string, b: string): number {
  if (a.length > FEW_CHARACTERS) work(Math.min(a.length, b.length));
  return compareUtf8(a, b);
}

/** Order of two values of ordered types: negative, zero, positive, NaN with NaN; undefined for other values. */
export function compareValues(a: Value, b: Value): number | undefined {
  if (typeof a === 'string') return typeof b === 'string' ? compareTexts(a, b) : undefined;
  if (typeof a === 'boolean') return typeof b === 'boolean' ? Number(a) - Number(b) : undefined;
  if (a instanceof Timestamp) return b instanceof Timestamp ? compareTimes(a, b) : undefined;
  if (a instanceof Duration) return b instanceof Duration ? compareTimes(a, b) : undefined;
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? compareBytes(a, b) : undefined;
  return compareNumbers(a, b);
}

/** Whether the list has an element that equals the value. */
export function listIncludes(items: readonly Value[], value: Value): boolean {
  if (items.length > FEW_CHARACTERS) work(items.length);
  for (const item of items) if (valuesEqual(item, value)) return true;
  return false;
}

/** Whether a plain object or map has the key. */
export function mapIncludes(map: JsonObject | MapValue, key: Value): boolean {
  const normal = mapKeyOf(key);
  if (normal === undefined) return false;
  workOfKey(normal);
  if (isPlainObject(map))
    return typeof normal === 'string' && Object.hasOwn(map, normal) && map[normal] !== undefined;
  return mapGet(map, normal) !== undefined;
}
