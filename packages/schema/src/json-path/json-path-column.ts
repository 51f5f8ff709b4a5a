import { ageText, goQuote, type JsonValue, parseTime } from '@ashlar/core';
import { compileJsonPath, type JsonPath } from './json-path.ts';
import { JsonPathBudget } from './json-path-budget.ts';
import { JsonPathError } from './json-path-error.ts';
import { printedText } from './json-path-text.ts';

/** The value of a printer column for an object. @param budget of the row; by default the cell has one of its own */
export type ColumnCell = (object: JsonValue, now: number, budget?: JsonPathBudget) => JsonValue;

/**
 * Compiles the cell of a printer column (semantics/tables#shapes): the first value at the path, as a value of
 * the column's type; null if there is none, it is of another type, or the budget of the row is exceeded. Dates are shown as ages.
 *
 * @param type `string`, `integer`, `number`, `boolean` or `date`
 * @param path without braces: `.spec.replicas`
 * @throws JsonPathError `unrecognized column definition ".spec["`
 * @example
 * const cell = compileColumnCell('integer', '.spec.replicas');
 * cell({ spec: { replicas: 3 } }, now); // 3
 */
export function compileColumnCell(type: string, path: string): ColumnCell {
  const compiled = compilePath(path);
  const toCell = Object.hasOwn(CELLS, type) ? CELLS[type] : undefined;
  return (object, now, budget = new JsonPathBudget()) => {
    try {
      const value = compiled.find(object, budget)[0]?.[0];
      return value === undefined || !toCell ? null : toCell(value, now, budget);
    } catch (error) {
      if (error instanceof JsonPathError) return null;
      throw error;
    }
  };
}

function compilePath(path: string): JsonPath {
  try {
    return compileJsonPath(`{${path}}`, { allowMissing: true });
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw new JsonPathError(`unrecognized column definition ${goQuote(path)}`, { cause: error });
  }
}

const CELLS: Readonly<Record<string, (value: JsonValue, now: number, budget: JsonPathBudget) => JsonValue>> =
  {
    string: (value, _, budget) => (value === null ? '<no value>' : printedText(value, budget)),
    integer: (value) =>
      typeof value === 'bigint' ? value : typeof value === 'number' ? wholeNumber(value) : null,
    number: (value) => (typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null),
    boolean: (value) => (typeof value === 'boolean' ? value : null),
    date: (value, now) => (typeof value === 'string' ? dateText(value, now) : null),
  };

const LEAST_INT64 = -(2n ** 63n);

/** Numbers beyond 64 bits are shown as the least of them, as release 1.32 does. */
function wholeNumber(value: number): number | bigint {
  return value >= -(2 ** 63) && value < 2 ** 63 ? Math.trunc(value) : LEAST_INT64;
}

function dateText(value: string, now: number): string {
  if (value === '' || value === 'null') return '<unknown>';
  try {
    parseTime(value);
  } catch {
    return '<invalid>';
  }
  return ageText(value, now);
}
