import type { JsonValue, Schema } from '@ashlar/core';

/** Members of a map under construction. */
export type Members = Record<string, JsonValue | undefined>;

/** One map while a strategic merge patch is merged into it. */
export interface MapMerge {
  readonly schema: Schema;
  /**
   * Target of the merge: an object, where directives act and disappear; or another patch, where they stay and nulls
   * stay too.
   */
  readonly intoObject: boolean;
  /** The merged map. */
  readonly result: Members;
  /** The part of the patch that is not merged yet. */
  readonly rest: Members;
}
