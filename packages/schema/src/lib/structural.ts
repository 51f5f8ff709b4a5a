import { type FieldError, isJsonObject, type JsonValue, ownMember, type Schema } from '@ashlar/core';
import { Correlation } from './correlation.ts';
import { compileDefaults } from './defaulting.ts';
import {
  type CoerceOptions,
  coerceEmbedded,
  coerceRootMetadata,
  hasEmbedded,
  validateEmbedded,
} from './embedded-metadata.ts';
import { compileUniqueness } from './list-uniqueness.ts';
import { type CompilePattern, compileLinearPattern } from './pattern.ts';
import { pruneUnknown, type ReportUnknownField } from './prune.ts';
import { compileValueNode, type ValueNode } from './value-node.ts';

/** What compiling a schema needs from its host. */
export interface CompileStructuralOptions {
  /** Compiles `pattern`; default {@link compileLinearPattern}. */
  readonly compilePattern?: CompilePattern;
}

/** A compiled schema of users' objects. Values are not changed in place: what changes is copied, all else is shared. */
export interface StructuralSchema {
  readonly schema: Schema;
  /**
   * Brings metadata into shape, those of the object itself and of embedded resources: unknown fields are dropped and reported.
   * @throws TypedDecodeError when a value is of a wrong type
   */
  coerceMetadata(value: JsonValue, report: ReportUnknownField, options?: CoerceOptions): JsonValue;
  /** Drops unknown fields and reports their paths, sorted (semantics H3). */
  prune(value: JsonValue, report: ReportUnknownField): JsonValue;
  /** Drops nulls that the schema does not take, then fills in defaults (semantics H4). */
  applyDefaults(value: JsonValue): JsonValue;
  /** What is wrong with an object that is to be made (semantics H5); rules are somebody else's. */
  validate(value: JsonValue): readonly FieldError[];
  /** What is wrong with an object that replaces an old one: what was wrong before and did not change is let pass (H10). */
  validateUpdate(value: JsonValue, old: JsonValue): readonly FieldError[];
  /**
   * What is wrong with an object whose `status` was written through its subresource: only that is looked at, and nothing is let
   * pass for having been wrong before but repeated items of lists, which are looked for everywhere.
   */
  validateStatusUpdate(value: JsonValue, old: JsonValue): readonly FieldError[];
}

/**
 * Compiles the schema of users' objects, once. For a write the steps are `coerceMetadata`, `prune`, `applyDefaults`, and after
 * admission `validate` (semantics H1).
 *
 * @throws TypeError when the schema has a pattern that does not compile
 * @example
 * const compiled = compileStructural({
 *   type: 'object',
 *   properties: { spec: { type: 'object', properties: { size: { type: 'integer', default: 1, minimum: 1 } } } },
 * });
 * const pruned = compiled.prune({ spec: { color: 'red' } }, (path) => console.log(path)); // spec.color
 * compiled.applyDefaults(pruned); // { spec: { size: 1 } }
 * compiled.validate({ spec: { size: 0 } }); // spec.size: … should be greater than or equal to 1
 */
export function compileStructural(schema: Schema, options: CompileStructuralOptions = {}): StructuralSchema {
  const checks = compileValueNode(schema, options.compilePattern ?? compileLinearPattern);
  const uniqueness = compileUniqueness(schema);
  const applyDefaults = compileDefaults(schema);
  const embedded = hasEmbedded(schema);

  const schemaErrors = (value: JsonValue, correlation?: Correlation): FieldError[] => {
    const errors: FieldError[] = [];
    checks.check(value, '', errors, correlation);
    return withoutRepetitions(errors);
  };
  const embeddedErrors = (value: JsonValue): readonly FieldError[] =>
    embedded ? validateEmbedded(value, schema) : [];

  // Old values are looked at only where something is wrong with the new ones.
  const updateErrors = (value: JsonValue, old: JsonValue): readonly FieldError[] =>
    schemaErrors(value).length === 0 ? [] : schemaErrors(value, new Correlation(value, old, schema));
  const repeatedIn = (value: JsonValue, old: JsonValue): readonly FieldError[] => {
    const errors = uniqueness(value);
    return errors.length === 0 || uniqueness(old).length > 0 ? [] : errors;
  };

  let status: ValueNode | undefined;
  const statusErrors = (value: JsonValue): FieldError[] => {
    const part = ownSchema(schema, 'status');
    const own = isJsonObject(value) ? ownMember(value, 'status') : undefined;
    if (!part || own === undefined) return [];
    status ??= compileValueNode(part, options.compilePattern ?? compileLinearPattern);
    const errors: FieldError[] = [];
    status.check(own, '', errors);
    return withoutRepetitions(errors).map((error) => placedIn('status', error));
  };

  return {
    schema,
    applyDefaults,
    coerceMetadata(value, report, coerceOptions) {
      const own = isJsonObject(value) ? coerceRootMetadata(value, report, coerceOptions) : value;
      return embedded ? coerceEmbedded(own, schema, report, coerceOptions) : own;
    },
    prune: (value, report) => pruneUnknown(value, schema, report),
    validate: (value) => [...schemaErrors(value), ...embeddedErrors(value), ...uniqueness(value)],
    validateUpdate: (value, old) => [
      ...updateErrors(value, old),
      ...embeddedErrors(value),
      ...repeatedIn(value, old),
    ],
    validateStatusUpdate: (value, old) => [...statusErrors(value), ...repeatedIn(value, old)],
  };
}

const ownSchema = ({ properties = {} }: Schema, name: string): Schema | undefined =>
  Object.hasOwn(properties, name) ? properties[name] : undefined;

/** An error of a part of an object that was validated alone; its text goes on naming the way within the part. */
const placedIn = (path: string, error: FieldError): FieldError => ({
  ...error,
  field: error.field === '<nil>' ? path : `${path}.${error.field}`,
});

/** Combinations can tell the same error more than once. */
function withoutRepetitions(errors: readonly FieldError[]): FieldError[] {
  const seen = new Set<string>();
  return errors.filter(({ field, message }) => {
    const text = `${field}\n${message}`;
    return !seen.has(text) && seen.add(text);
  });
}
