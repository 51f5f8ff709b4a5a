import { compareUtf8, doneSteps, type JsonObject, type JsonValue, type Steps } from '@ashlar/core';
import { effortFor, isDue, isLarge, namesOf } from './large-parts.ts';

/**
 * A total order of JSON values: numbers by value, then strings by their UTF-8 bytes, `false` before `true`,
 * lists and maps item by item, null last. Zero if they are equal; field sets are sorted by it
 * (semantics/apply#fieldsv1).
 */
export function compareValues(a: JsonValue, b: JsonValue): number {
  const rank = valueRank(a);
  const difference = rank - valueRank(b);
  if (difference !== 0) return Math.sign(difference);
  switch (rank) {
    case 0:
      return compareOrdered(a as number, b as number);
    case 1:
      return Math.sign(compareUtf8(a as string, b as string));
    case 2:
      return compareOrdered(Number(a), Number(b));
    case 3:
      return compareLists(a as readonly JsonValue[], b as readonly JsonValue[]);
    case 4:
      return compareMaps(a as JsonObject, b as JsonObject);
    default:
      return 0;
  }
}

/** Whether two values are equal for ownership: numbers by value, maps in any order of keys. */
export function valuesEqual(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return compareValues(a, b) === 0;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && listsEqual(a, b);
  return mapsEqual(a as JsonObject, b as JsonObject);
}

/** {@link valuesEqual} that pauses where values are large. */
export function valuesEqualSteps(a: JsonValue, b: JsonValue): Steps<boolean> {
  if (a === b || !isLarge(a) || !isLarge(b) || Array.isArray(a) !== Array.isArray(b))
    return doneSteps(valuesEqual(a, b));
  return Array.isArray(a)
    ? listsEqualSteps(a, b as readonly JsonValue[])
    : mapsEqualSteps(a as JsonObject, b as JsonObject);
}

function* listsEqualSteps(a: readonly JsonValue[], b: readonly JsonValue[]): Steps<boolean> {
  if (a.length !== b.length) return false;
  for (const [index, item] of a.entries()) {
    if (isDue(effortFor(item))) yield;
    const other = b[index] as JsonValue;
    if (isLarge(item) ? !(yield* valuesEqualSteps(item, other)) : !valuesEqual(item, other)) return false;
  }
  return true;
}

function* mapsEqualSteps(a: JsonObject, b: JsonObject): Steps<boolean> {
  let left = 0;
  for (const name of namesOf(a)) {
    const value = a[name];
    if (value === undefined) continue;
    if (isDue(effortFor(value))) yield;
    const other = Object.hasOwn(b, name) ? b[name] : undefined;
    if (other === undefined) return false;
    if (isLarge(value) ? !(yield* valuesEqualSteps(value, other)) : !valuesEqual(value, other)) return false;
    left++;
  }
  for (const name of namesOf(b)) {
    if (isDue()) yield;
    if (b[name] !== undefined) left--;
  }
  return left === 0;
}

function listsEqual(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  return a.length === b.length && a.every((item, index) => valuesEqual(item, b[index] as JsonValue));
}

function mapsEqual(a: JsonObject, b: JsonObject): boolean {
  let left = 0;
  for (const name in a) {
    const value = a[name];
    if (value === undefined) continue;
    const other = Object.hasOwn(b, name) ? b[name] : undefined;
    if (other === undefined || !valuesEqual(value, other)) return false;
    left++;
  }
  for (const name in b) if (b[name] !== undefined) left--;
  return left === 0;
}

function valueRank(value: JsonValue): number {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 0;
    case 'string':
      return 1;
    case 'boolean':
      return 2;
    default:
      if (value === null) return 5;
      return Array.isArray(value) ? 3 : 4;
  }
}

function compareOrdered(a: number, b: number): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

function compareLists(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const order = compareValues(a[i] as JsonValue, b[i] as JsonValue);
    if (order !== 0) return order;
  }
  return Math.sign(a.length - b.length);
}

/** By the smallest key that only one of them has, or whose values differ; a prefix comes first. */
function compareMaps(a: JsonObject, b: JsonObject): number {
  const left = definedKeys(a);
  const right = definedKeys(b);
  const keys = [...new Set([...left, ...right])].sort(compareUtf8);
  for (const [position, key] of keys.entries()) {
    if (position === left.size) return -1;
    if (position === right.size) return 1;
    if (!left.has(key)) return 1;
    if (!right.has(key)) return -1;
    const order = compareValues(a[key] as JsonValue, b[key] as JsonValue);
    if (order !== 0) return order;
  }
  return 0;
}

function definedKeys(map: JsonObject): Set<string> {
  return new Set(Object.keys(map).filter((key) => map[key] !== undefined));
}
