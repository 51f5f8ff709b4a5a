import type { JsonObject } from '@ashlar/core';
import { MapValue, mapGet, mapKeyOf, workOfKey } from '../values/maps.ts';
import { numeric } from '../values/numbers.ts';
import {
  Boxed,
  EvaluationError,
  isPlainObject,
  ListValue,
  listItems,
  noSuchOverload,
  ObjectValue,
  Optional,
  type Value,
} from '../values/values.ts';

/** The error of a key that a map does not have. */
function noSuchKey(key: string): EvaluationError {
  return new EvaluationError(`no such key: ${key}`);
}

/** A field of a value: an entry of a map or a field of an object; undefined if it is absent. */
function findField(value: Value, field: string): Value | undefined {
  if (value instanceof Boxed) return findBoxedField(value, field);
  // lists have elements; other values that are no maps have no fields
  if (!isPlainObject(value)) return Array.isArray(value) ? noSuchOverload() : undefined;
  return Object.hasOwn(value, field) ? (value[field] as Value | undefined) : undefined;
}

function findBoxedField(value: Boxed, field: string): Value | undefined {
  if (value instanceof ObjectValue) return value.get(field);
  if (value instanceof MapValue) return value.get(field);
  if (value instanceof EvaluationError) return value;
  return value instanceof ListValue ? noSuchOverload() : undefined;
}

/** A field of a value, or an error. Of an optional it returns an optional. */
export function selectField(value: Value, field: string): Value {
  if (value instanceof Optional) return fieldOfOptional(value, field);
  const found = findField(value, field);
  return found === undefined ? noSuchKey(field) : found;
}

/** A field of an optional value, which must be one that can have fields. */
function fieldOfOptional(optional: Optional, field: string): Value {
  const { value } = optional;
  if (value === undefined) return optional;
  const isReadable = value instanceof Boxed || isPlainObject(value) || Array.isArray(value);
  return isReadable ? optionalField(value, field) : noSuchKey(field);
}

/** `value.?field`. */
export function optionalField(value: Value, field: string): Value {
  const target = value instanceof Optional ? value.value : value;
  if (target === undefined) return value;
  const found = findField(target, field);
  return found instanceof EvaluationError ? found : new Optional(found);
}

/** `has(value.field)`. */
export function hasField(value: Value, field: string): Value {
  const target = value instanceof Optional ? value.value : value;
  if (target === undefined) return false;
  const found = findField(target, field);
  return found instanceof EvaluationError ? found : found !== undefined;
}

/** `value[index]`, undefined if it is absent. */
function findIndex(value: Value, index: Value): Value | undefined {
  if (index instanceof EvaluationError) return index;
  const items = listItems(value);
  if (items) return findElement(items, index);
  if (value instanceof MapValue) return findKey(value, index);
  if (isPlainObject(value)) return findKey(value, index);
  return value instanceof EvaluationError ? value : noSuchOverload();
}

function findElement(items: readonly Value[], index: Value): Value | undefined {
  if (typeof index === 'number' && Number.isSafeInteger(index)) return items[index];
  const position = numeric(index);
  if (position === undefined)
    return new EvaluationError(`unsupported index type '${typeNameOf(index)}' in list`);
  if (!Number.isInteger(Number(position))) return new EvaluationError(`unsupported index value: ${position}`);
  return items[Number(position)];
}

const typeNameOf = (value: Value): string =>
  typeof value === 'string'
    ? 'string'
    : typeof value === 'boolean'
      ? 'bool'
      : value === null
        ? 'null_type'
        : 'dyn';

function findKey(map: JsonObject | MapValue, index: Value): Value | undefined {
  const key = mapKeyOf(index);
  if (key === undefined) return new EvaluationError(`unsupported key type`);
  workOfKey(key);
  return mapGet(map, key);
}

/** `value[index]`, or an error. Of an optional it returns an optional. */
export function indexValue(value: Value, index: Value): Value {
  if (value instanceof Optional) return optionalIndex(value, index);
  const found = findIndex(value, index);
  return found === undefined ? missing(value, index) : found;
}

function missing(value: Value, index: Value): EvaluationError {
  const shown = String(numeric(index) ?? index);
  const isList = Array.isArray(value) || value instanceof ListValue;
  return isList ? new EvaluationError(`index out of bounds: ${shown}`) : noSuchKey(shown);
}

/** `value[?index]`. */
export function optionalIndex(value: Value, index: Value): Value {
  const target = value instanceof Optional ? value.value : value;
  if (target === undefined) return value;
  const found = findIndex(target, index);
  return found instanceof EvaluationError ? found : new Optional(found);
}
