import { ageColumn, nameColumn } from '@ashlar/apis';
import type { ApiObject, JsonValue } from '@ashlar/core';
import type { ColumnDefinition } from '@ashlar/registry';
import { type ColumnCell, compileColumnCell, JsonPathBudget, JsonPathError } from '@ashlar/schema';
import type { PrinterColumn } from './custom-resource-definition.ts';

/** Further columns are not shown: kinds have a dozen. */
const MAXIMUM_COLUMNS = 500;

/**
 * The columns of a version's tables: the name, and the declared ones, or the age
 * (semantics/tables#custom-columns). They end at an invalid path. All cells of a row together look at so many values, and have so much
 * text, that a row is never much more than its object.
 */
export function printerColumns(declared: readonly PrinterColumn[]): readonly ColumnDefinition[] {
  if (declared.length === 0) return [nameColumn, { ...ageColumn, type: 'date' }];
  const columns: ColumnDefinition[] = [nameColumn];
  const row = new Row();
  for (const column of declared.slice(0, MAXIMUM_COLUMNS)) {
    const cell = cellOf(column);
    if (!cell) break;
    columns.push(toColumn(column, cell, row, columns.length));
  }
  return columns;
}

/** The budget that the cells of a row share, which are computed from the first to the last. */
class Row {
  #column = 0;
  #budget = new JsonPathBudget();

  budgetOf(column: number): JsonPathBudget {
    if (column <= this.#column) this.#budget = new JsonPathBudget();
    this.#column = column;
    return this.#budget;
  }
}

function cellOf({ type, jsonPath }: PrinterColumn): ColumnCell | undefined {
  try {
    return compileColumnCell(type, jsonPath);
  } catch (error) {
    if (JsonPathError.is(error)) return undefined;
    throw error;
  }
}

function toColumn(column: PrinterColumn, cell: ColumnCell, row: Row, index: number): ColumnDefinition {
  const { name, format, priority, jsonPath, description } = column;
  const type = column.type as ColumnDefinition['type'];
  return {
    name,
    type,
    ...(format && { format }),
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    ...(priority && { priority }),
    isCostly: true,
    cell: (object: ApiObject, now: number) => cell(object as unknown as JsonValue, now, row.budgetOf(index)),
    timeless: type !== 'date',
  };
}
