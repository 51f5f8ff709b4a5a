import { type ApiObject, ageStart, ageText, type JsonValue, printErrors } from '@ashlar/core';
import type { ColumnDefinition } from '@ashlar/registry';

/** A printer column, after the name; of type string by default. */
export interface ColumnOptions<Read> extends Omit<ColumnDefinition, 'type' | 'cell'> {
  readonly type?: ColumnDefinition['type'];
  /** @param now milliseconds since 1970, for ages */
  cell(object: Read, now: number): JsonValue;
}

/** Content of a cell that could not be computed. */
const FAILED = '<error>';

/**
 * The column of a host, whose function may fail: that costs its cell, not the table, and is printed. A cell of type `date` that is a
 * time shows its age, as such columns of custom resource definitions do (semantics/tables#ages).
 */
export function hostColumn(column: ColumnOptions<never>): ColumnDefinition {
  const { name, type = 'string' } = column;
  const onError = printErrors(`column ${JSON.stringify(name)}`);
  const cell = (object: ApiObject, now: number): JsonValue => {
    try {
      const value: unknown = column.cell(object as never, now);
      return type === 'date' ? dateCell(value, now) : jsonCell(value);
    } catch (error) {
      onError(error);
      return type === 'string' ? FAILED : null;
    }
  };
  return { ...column, type, cell };
}

/** @throws TypeError for what has no form in JSON */
function jsonCell(value: unknown): JsonValue {
  if (value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw new TypeError(`a cell must be a value of JSON, not a ${typeof value}`);
  }
  return value as JsonValue;
}

function dateCell(value: unknown, now: number): JsonValue {
  const text = jsonCell(value);
  return typeof text === 'string' && Number.isFinite(ageStart(text)) ? ageText(text, now) : text;
}
