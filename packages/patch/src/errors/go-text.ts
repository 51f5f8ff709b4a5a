import { goTypeName, goValue, type JsonValue } from '@ashlar/core';

/** Returns the Go type of a value as messages print it with `%s`, which has a text of its own for null. */
export function typeText(value: JsonValue): string {
  return value === null ? '%!s(<nil>)' : goTypeName(value);
}

/** Prints a value with `%s`: values that are not strings are printed with their type. */
export function stringText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return '%!s(<nil>)';
  if (typeof value === 'object') return goValue(value);
  return `%!s(${goTypeName(value)}=${goValue(value)})`;
}
