import type { FieldError, JsonValue, Schema, Steps } from '@ashlar/core';
import type { DefaultLimits } from './default-budget.ts';
import type { CoerceOptions } from './embedded-metadata.ts';
import type { ReportUnknownField } from './prune.ts';

/**
 * A compiled schema of custom objects. Values are not changed in place: changed parts are copied, all others
 * shared. What may take long for large objects is also available with pauses, as `…Steps`; for small objects
 * that costs next to nothing.
 */
export interface StructuralSchema {
  readonly schema: Schema;
  /** Compiles with pauses what the other methods would compile at once when they are first called; not what validates values. */
  compileSteps(): Steps<void>;
  /**
   * Coerces metadata, of the object itself and of embedded resources: unknown fields are dropped and
   * reported.
   * @throws TypedDecodeError if a value is of a wrong type
   */
  coerceMetadata(value: JsonValue, report: ReportUnknownField, options?: CoerceOptions): JsonValue;
  coerceMetadataSteps(
    value: JsonValue,
    report: ReportUnknownField,
    options?: CoerceOptions,
  ): Steps<JsonValue>;
  /**
   * Drops unknown fields and reports their paths, sorted, at most the first hundred found
   * (semantics/schemas#pruning).
   */
  prune(value: JsonValue, report: ReportUnknownField): JsonValue;
  pruneSteps(value: JsonValue, report: ReportUnknownField): Steps<JsonValue>;
  /** Drops nulls that are not nullable and have no default, as after a conversion (semantics/schemas#defaults). */
  dropNullsSteps(value: JsonValue): Steps<JsonValue>;
  /**
   * Drops nulls that are not nullable, then fills in defaults (semantics/schemas#defaults).
   * @throws ObjectTooLargeError if the object with its defaults would exceed the limit
   */
  applyDefaults(value: JsonValue, limits?: DefaultLimits): JsonValue;
  applyDefaultsSteps(value: JsonValue, limits?: DefaultLimits): Steps<JsonValue>;
  /**
   * Fills in defaults and keeps nulls, for applied configurations.
   * @throws ObjectTooLargeError if the object with its defaults would exceed the limit
   */
  fillDefaults(value: JsonValue, limits?: DefaultLimits): JsonValue;
  fillDefaultsSteps(value: JsonValue, limits?: DefaultLimits): Steps<JsonValue>;
  /**
   * Returns the errors of a new object (semantics/schemas#validation-texts), at most a hundred; rules are checked by `@ashlar/validation`.
   * @param own errors of the kind itself, which stand between those of the schema and those of embedded resources and repeated items
   */
  validate(value: JsonValue, own?: readonly FieldError[]): readonly FieldError[];
  validateSteps(value: JsonValue, own?: readonly FieldError[]): Steps<readonly FieldError[]>;
  /** Returns only errors of embedded resources and of repeated items of lists, which objects of other kinds may have as well. */
  validateInvariantsSteps(value: JsonValue): Steps<readonly FieldError[]>;
  /** Returns the errors of an object that replaces an old one. Errors in unchanged values are ignored (semantics/schemas#ratcheting). */
  validateUpdate(value: JsonValue, old: JsonValue, own?: readonly FieldError[]): readonly FieldError[];
  validateUpdateSteps(
    value: JsonValue,
    old: JsonValue,
    own?: readonly FieldError[],
  ): Steps<readonly FieldError[]>;
  /**
   * Returns the errors of an object whose `status` was written through its subresource: only that is checked.
   * Errors in unchanged values are reported too, except for repeated items of lists, which are checked in the
   * entire object.
   */
  validateStatusUpdate(value: JsonValue, old: JsonValue, own?: readonly FieldError[]): readonly FieldError[];
  validateStatusUpdateSteps(
    value: JsonValue,
    old: JsonValue,
    own?: readonly FieldError[],
  ): Steps<readonly FieldError[]>;
}
