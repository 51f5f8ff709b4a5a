import type { ApiObject, JsonValue, LabelSelectorObject } from '@ashlar/core';
import { labelSelectorText } from '@ashlar/core';
import type { ColumnDefinition } from '@ashlar/registry';
import { type CellText, column, wide } from '../types/columns.ts';
import type { Container } from './pods/container-types.ts';

/** An integer column; absent ones are 0. */
export function integerColumn(
  name: string,
  description: string,
  cell: (object: ApiObject) => number | undefined,
): ColumnDefinition {
  return { name, type: 'integer', description, cell: (object) => cell(object) ?? 0 };
}

/** A boolean column. */
export function booleanColumn(name: string, description: string, cell: CellText): ColumnDefinition {
  return { name, type: 'boolean', description, cell };
}

/** `a=b,c=d` sorted by key, `<none>` if empty. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',');
}

/** Names and images of containers, for wide output. */
export function containerColumns(
  containersOf: (object: ApiObject) => readonly Container[] | undefined,
): readonly ColumnDefinition[] {
  const joined =
    (part: (container: Container) => string | undefined): CellText =>
    (object) =>
      (containersOf(object) ?? []).map((container) => part(container) ?? '').join(',');
  return [
    wide(
      column(
        'Containers',
        'Names of its containers.',
        joined(({ name }) => name),
      ),
    ),
    wide(
      column(
        'Images',
        'Images of its containers.',
        joined(({ image }) => image),
      ),
    ),
  ];
}

/** The selector of a kind in the structured form. */
export function selectorColumn(
  selectorOf: (object: ApiObject) => LabelSelectorObject | undefined,
): ColumnDefinition {
  return wide(
    column('Selector', 'The pods that it selects.', (object) => labelSelectorText(selectorOf(object))),
  );
}

/** Number of texts that a cell shows. */
const SHOWN = 3;

/**
 * At most three of some texts, and the number of others.
 * @param texts of which no more are taken
 */
export function firstOf(
  texts: Iterable<string>,
  none: string,
  count: number = (texts as readonly string[]).length,
): string {
  if (count === 0) return none;
  const shown: string[] = [];
  for (const text of texts) if (shown.push(text) === SHOWN) break;
  return count > SHOWN ? `${shown.join(',')} + ${count - SHOWN} more...` : shown.join(',');
}

/** A value or its placeholder. */
export const orElse = (value: JsonValue | undefined, none: string): JsonValue =>
  value === undefined || value === null || value === '' ? none : value;
