import type { ApiObject, JsonValue } from '@ashlar/core';

/** A column of the Table view (semantics/tables#shapes). */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** `name` for the column of names. */
  readonly format?: string;
  readonly description?: string;
  /** Above 0: shown in wide output only. */
  readonly priority?: number;
  /** @param now milliseconds since 1970, for ages */
  cell(object: ApiObject, now: number): JsonValue;
  /** Whether `cell` takes no notice of the time. Where neither this nor `ageOf` is said, the cell is made anew every second. */
  readonly timeless?: boolean;
  /** The time whose age the cell tells, as `ageText` does: rows are brought up to date with it, without a look at the object. */
  ageOf?(object: ApiObject): string | null | undefined;
}
