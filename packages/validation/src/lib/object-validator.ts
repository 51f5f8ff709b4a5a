import type { FieldError, JsonValue } from '@ashlar/core';

/**
 * What a schema and its rules say of whole objects. Compiled once per version of a resource type; objects come pruned and
 * defaulted, and nothing is changed.
 */
export interface ObjectValidator {
  /** What is wrong with an object that is to be made, in the recorded order: the schema's own errors, then those of its rules (semantics H5–H9). */
  validate(object: JsonValue): readonly FieldError[];
  /** What is wrong with an object that replaces an old one: what was wrong before and did not change is let pass (semantics H10). */
  validateUpdate(object: JsonValue, old: JsonValue): readonly FieldError[];
}
