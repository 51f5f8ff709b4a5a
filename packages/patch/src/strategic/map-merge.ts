import type { JsonValue, Schema } from '@ashlar/core';

/** Members of a map under construction. */
export type Members = Record<string, JsonValue | undefined>;

/** One map during a strategic merge. */
export interface MapMerge {
  readonly schema: Schema;
  /**
   * Target of the merge: an object, where directives are applied and removed; or another patch, where they
   * and nulls stay.
   */
  readonly intoObject: boolean;
  /** The merged map. */
  readonly result: Members;
  /** The part of the patch that is not merged yet. */
  readonly rest: Members;
}
