import { type JsonValue, jsonSize, type Schema } from '@ashlar/core';

/** The default of a field. */
export interface Constant {
  readonly name: string;
  readonly value: JsonValue;
  readonly optional: boolean;
  /** Its size in JSON, with its name. */
  readonly bytes: number;
}

/** Returns the default of a field, if it has one that is ever set. */
export function constantOf(name: string, { default: value, optional = false }: Schema): readonly Constant[] {
  if (value === undefined || (!optional && isZero(value))) return [];
  return [{ name, value, optional, bytes: name.length + 4 + jsonSize(value) }];
}

/** Without a difference between absence and the zero value, both are absence. */
export function isMissing(value: JsonValue | undefined, { optional }: Constant): boolean {
  return value === undefined || value === null || (!optional && isZero(value));
}

const isZero = (value: JsonValue): boolean =>
  value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0);
