import type { FieldError, JsonValue, Steps } from '@ashlar/core';

/** What a validation shares with its write. */
export interface ValidationContext {
  /** Errors found before, such as those of metadata: rules do not run if one of them makes that unsafe. */
  readonly found?: readonly FieldError[];
  /** Errors of the kind itself, which follow those of the schema; those of embedded resources, repeated items and rules come after. */
  readonly own?: readonly FieldError[];
  /** Called with the text of each Warning header: rules that an unchanged value still breaks (semantics/schemas#ratcheting). */
  readonly warn?: (text: string) => void;
}

/**
 * Validates objects by a schema and its rules. Compiled once per version of a resource type; objects must be
 * pruned and defaulted, and are not changed. At most about a hundred errors are returned. What takes long for
 * large objects is also available with pauses, between the parts of the object and between rules, as
 * `…Steps`, at no cost for small objects.
 */
export interface ObjectValidator {
  /** Returns the errors of a new object, in the recorded order: the schema's own errors, then those of its rules (semantics/schemas#validation-texts). */
  validate(object: JsonValue, context?: ValidationContext): readonly FieldError[];
  validateSteps(object: JsonValue, context?: ValidationContext): Steps<readonly FieldError[]>;
  /**
   * Returns the errors of an object of another kind, which is not checked against the schema: of its embedded resources, of repeated
   * items of its lists, and of the rules.
   * @param old the object that it replaces; undefined for a new one
   */
  validateOtherKindSteps(
    object: JsonValue,
    old: JsonValue | undefined,
    context?: Pick<ValidationContext, 'warn'>,
  ): Steps<readonly FieldError[]>;
  /** Returns the errors of an object that replaces an old one. Errors in unchanged values are ignored (semantics/schemas#ratcheting). */
  validateUpdate(object: JsonValue, old: JsonValue, context?: ValidationContext): readonly FieldError[];
  validateUpdateSteps(
    object: JsonValue,
    old: JsonValue,
    context?: ValidationContext,
  ): Steps<readonly FieldError[]>;
  /**
   * Returns the errors of an object whose `status` was written through its subresource: the schema checks
   * `status` only, the rules the entire object, and unchanged errors are reported except for repeated items
   * of lists.
   */
  validateStatusUpdate(object: JsonValue, old: JsonValue, context?: ValidationContext): readonly FieldError[];
  validateStatusUpdateSteps(
    object: JsonValue,
    old: JsonValue,
    context?: ValidationContext,
  ): Steps<readonly FieldError[]>;
}
