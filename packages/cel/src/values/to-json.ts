import { encodeBase64, type JsonValue, objectOf } from '@ashlar/core';
import { typeText } from '../check/types.ts';
import { isMap, type MapKey, mapGet, mapKeyOf, mapKeys } from './maps.ts';
import { durationText, timestampText } from './time.ts';
import {
  Boxed,
  Double,
  Duration,
  listItems,
  ObjectValue,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './values.ts';

/**
 * Converts a result to JSON as protocol buffers do: bytes in base64, timestamps and durations as text,
 * integers beyond 2^53 as text, other doubles as `NaN`, `Infinity`, `-Infinity`. An absent optional is null.
 * Values of opaque types are shown by the name of their type.
 */
export function toJson(value: Value): JsonValue {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return encodeBase64(value);
  const items = listItems(value);
  if (items) return items.map(toJson);
  if (isMap(value)) return mapToJson(value);
  return value instanceof Boxed ? boxedToJson(value) : null;
}

function mapToJson(map: Parameters<typeof mapKeys>[0]): JsonValue {
  const entries = mapKeys(map).map((key): [string, JsonValue] => {
    const found = mapGet(map, mapKeyOf(key) as MapKey);
    return [String(toJson(key)), found === undefined ? null : toJson(found)];
  });
  return objectOf(entries);
}

function boxedToJson(value: Boxed): JsonValue {
  if (value instanceof Double) return value.value;
  if (value instanceof Uint)
    return value.value <= Number.MAX_SAFE_INTEGER ? Number(value.value) : String(value.value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof TypeValue) return typeText(value.of);
  if (value instanceof Optional) return value.value === undefined ? null : toJson(value.value);
  if (value instanceof ObjectValue) return objectToJson(value);
  return typeText(value.type);
}

function objectToJson(value: ObjectValue): JsonValue {
  const entries = [...value.fields()].map((name): [string, JsonValue] => [
    name,
    toJson(value.get(name) as Value),
  ]);
  return objectOf(entries);
}
