import type { Schema } from '@ashlar/core';

/** The path of a member: keys of maps stand in brackets. */
export function memberPlace(
  { properties = {}, additionalProperties }: Schema,
  key: string,
  path: string,
): string {
  const isKey = typeof additionalProperties === 'object' && !Object.hasOwn(properties, key);
  if (isKey) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** The schema of a member: its own, or that of the values of a map; undefined if there is none. */
export function memberSchema(
  { properties = {}, additionalProperties }: Schema,
  key: string,
): Schema | undefined {
  if (Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
