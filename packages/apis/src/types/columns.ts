import { type ApiObject, ageText, type JsonValue } from '@ashlar/core';
import type { ColumnDefinition } from '@ashlar/registry';

/** Text of a cell. */
export type CellText = (object: ApiObject, now: number) => JsonValue;

/**
 * A string column; the cell may still hold a number (semantics/tables#built-in-columns). Cells without a time
 * parameter do not depend on the time.
 */
export function column(name: string, description: string, cell: CellText): ColumnDefinition {
  return { name, type: 'string', description, cell, timeless: cell.length < 2 };
}

/** The same column, shown in wide output only. */
export function wide(definition: ColumnDefinition): ColumnDefinition {
  return { ...definition, priority: 1 };
}

/** The column of names. */
export const nameColumn: ColumnDefinition = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object.',
  cell: ({ metadata }) => metadata.name ?? '',
  timeless: true,
};

/** The column of ages, as texts (semantics/tables#ages). */
export const ageColumn: ColumnDefinition = {
  ...column('Age', 'Time since the object was made.', ({ metadata }, now) =>
    ageText(metadata.creationTimestamp, now),
  ),
  ageOf: ({ metadata }) => metadata.creationTimestamp,
};
