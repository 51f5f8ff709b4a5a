import { ageText, goQuote, type JsonValue, parseTime } from '@ashlar/core';
import { compileJsonPath, type JsonPath } from './json-path.ts';
import { JsonPathError } from './json-path-error.ts';
import { printedText } from './json-path-text.ts';

/** The value of a printer column for an object. */
export type ColumnCell = (object: JsonValue, now: number) => JsonValue;

/**
 * Compiles the cell of a printer column (semantics/tables#shapes): the first value at the path, as a value of
 * the column's type; null if there is none or it is of another type. Dates are shown as ages.
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
  return (object, now) => {
    const value = firstValue(compiled, object);
    if (value === undefined || !toCell) return null;
    return toCell(value, now);
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

function firstValue(path: JsonPath, object: JsonValue): JsonValue | undefined {
  try {
    return path.find(object)[0]?.[0];
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

const CELLS: Readonly<Record<string, (value: JsonValue, now: number) => JsonValue>> = {
  string: (value) => (value === null ? '<no value>' : printedText(value)),
  integer: (value) =>
    typeof value === 'bigint' ? value : typeof value === 'number' ? Math.trunc(value) : null,
  number: (value) => (typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null),
  boolean: (value) => (typeof value === 'boolean' ? value : null),
  date: (value, now) => (typeof value === 'string' ? dateText(value, now) : null),
};

function dateText(value: string, now: number): string {
  if (value === '' || value === 'null') return '<unknown>';
  try {
    parseTime(value);
  } catch {
    return '<invalid>';
  }
  return ageText(value, now);
}
