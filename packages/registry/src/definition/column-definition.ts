import type { ApiObject, JsonValue } from '@ashlar/core';

/** A column of the Table view (semantics/tables#shapes). */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** `name` for the column of names. */
  readonly format?: string;
  readonly description?: string;
  /** If above 0, shown in wide output only. */
  readonly priority?: number;
  /** @param now milliseconds since 1970, for ages */
  cell(object: ApiObject, now: number): JsonValue;
  /** Whether computing the cell may take as long as encoding the object: there is a pause after each row. */
  readonly isCostly?: boolean;
  /** Whether `cell` is independent of the time. Without this and `ageOf`, the cell is computed every second. */
  readonly timeless?: boolean;
  /** Returns the time whose age the cell shows, as `ageText` prints it: cached rows are updated without decoding the object. */
  ageOf?(object: ApiObject): string | null | undefined;
}
