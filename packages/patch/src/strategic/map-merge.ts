import type { JsonValue, Schema } from '@ashlar/core';

/** Members of a map under construction. */
export type Members = Record<string, JsonValue | undefined>;

/** One map while a strategic merge patch is merged into it. */
export interface MapMerge {
  readonly schema: Schema;
  /**
   * What the patch is merged into: an object, where directives act and disappear; or another patch, where they stay and nulls
   * stay too.
   */
  readonly intoObject: boolean;
  /** What the map becomes. */
  readonly result: Members;
  /** What of the patch is still to be merged. */
  readonly rest: Members;
}
