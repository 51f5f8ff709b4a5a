import { ageColumn, nameColumn } from '@ashlar/apis';
import type { ApiObject, JsonValue } from '@ashlar/core';
import type { ColumnDefinition } from '@ashlar/registry';
import { type ColumnCell, compileColumnCell, JsonPathError } from '@ashlar/schema';
import type { PrinterColumn } from './custom-resource-definition.ts';

/**
 * The columns of a version's tables: the name, and the declared ones, or the age
 * (semantics/tables#custom-columns). They end at an invalid path.
 */
export function printerColumns(declared: readonly PrinterColumn[]): readonly ColumnDefinition[] {
  if (declared.length === 0) return [nameColumn, { ...ageColumn, type: 'date' }];
  const columns: ColumnDefinition[] = [nameColumn];
  for (const column of declared) {
    const cell = cellOf(column);
    if (!cell) break;
    columns.push(toColumn(column, cell));
  }
  return columns;
}

function cellOf({ type, jsonPath }: PrinterColumn): ColumnCell | undefined {
  try {
    return compileColumnCell(type, jsonPath);
  } catch (error) {
    if (JsonPathError.is(error)) return undefined;
    throw error;
  }
}

function toColumn(column: PrinterColumn, cell: ColumnCell): ColumnDefinition {
  const { name, format, priority, jsonPath, description } = column;
  const type = column.type as ColumnDefinition['type'];
  return {
    name,
    type,
    ...(format && { format }),
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    ...(priority && { priority }),
    cell: (object: ApiObject, now: number) => cell(object as unknown as JsonValue, now),
    timeless: type !== 'date',
  };
}
