import type { FieldError, JsonValue, Steps } from '@ashlar/core';

/** What a validation shares with the write that it is part of. */
export interface ValidationContext {
  /** Errors found before, such as those of metadata: rules do not run where one of them makes that unsafe. */
  readonly found?: readonly FieldError[];
  /** Called with the text of each Warning header: rules that an unchanged value still breaks (semantics/schemas#ratcheting). */
  readonly warn?: (text: string) => void;
}

/**
 * Validates objects by a schema and its rules. Compiled once per version of a resource type; objects come pruned and
 * defaulted, and nothing is changed. About a hundred errors are returned at most. What takes long for large objects is
 * also there with pauses, between the parts of the object and between rules, as `…Steps`; small objects take no longer by that.
 */
export interface ObjectValidator {
  /** Returns the errors of a new object, in the recorded order: the schema's own errors, then those of its rules (semantics/schemas#validation-texts). */
  validate(object: JsonValue, context?: ValidationContext): readonly FieldError[];
  validateSteps(object: JsonValue, context?: ValidationContext): Steps<readonly FieldError[]>;
  /** Returns the errors of an object that replaces an old one. Errors in unchanged values are ignored (semantics/schemas#ratcheting). */
  validateUpdate(object: JsonValue, old: JsonValue, context?: ValidationContext): readonly FieldError[];
  validateUpdateSteps(
    object: JsonValue,
    old: JsonValue,
    context?: ValidationContext,
  ): Steps<readonly FieldError[]>;
  /**
   * Returns the errors of an object whose `status` was written through its subresource: the schema checks `status` alone, the
   * rules about all of the object, and nothing that was wrong before is let pass but repeated items of lists.
   */
  validateStatusUpdate(object: JsonValue, old: JsonValue, context?: ValidationContext): readonly FieldError[];
  validateStatusUpdateSteps(
    object: JsonValue,
    old: JsonValue,
    context?: ValidationContext,
  ): Steps<readonly FieldError[]>;
}
