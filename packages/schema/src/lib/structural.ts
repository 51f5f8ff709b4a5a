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
import { compileFits, type Fits } from './fits.ts';
import { compileUniqueness } from './list-uniqueness.ts';
import { type CompilePattern, compileLinearPattern, type Pattern } from './pattern.ts';
import { pruneUnknown, type ReportUnknownField } from './prune.ts';
import { compilePruned } from './pruned.ts';
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
  /** Fills in defaults and leaves nulls where they are, as what was applied is defaulted. */
  fillDefaults(value: JsonValue): JsonValue;
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
  const compilePattern = onlyOnce(options.compilePattern ?? compileLinearPattern);
  const judge = compileJudge(schema, compilePattern);
  const isPruned = compilePruned(schema);
  const uniqueness = compileUniqueness(schema);
  const applyDefaults = compileDefaults(schema);
  let filling: ReturnType<typeof compileDefaults> | undefined;
  const embedded = hasEmbedded(schema);

  const embeddedErrors = (value: JsonValue): readonly FieldError[] =>
    embedded ? validateEmbedded(value, schema) : NO_ERRORS;

  // Old values are looked at only where something is wrong with the new ones.
  const updateErrors = (value: JsonValue, old: JsonValue): readonly FieldError[] =>
    judge.fits(value) ? NO_ERRORS : judge.errors(value, new Correlation(value, old, schema));
  const repeatedIn = (value: JsonValue, old: JsonValue): readonly FieldError[] => {
    const errors = uniqueness(value);
    return errors.length === 0 || uniqueness(old).length > 0 ? NO_ERRORS : errors;
  };

  let status: Judge | undefined;
  const statusErrors = (value: JsonValue): readonly FieldError[] => {
    const part = ownSchema(schema, 'status');
    const own = isJsonObject(value) ? ownMember(value, 'status') : undefined;
    if (!part || own === undefined) return NO_ERRORS;
    status ??= compileJudge(part, compilePattern);
    return status.errors(own).map((error) => placedIn('status', error));
  };

  return {
    schema,
    applyDefaults,
    fillDefaults(value) {
      filling ??= compileDefaults(schema, true);
      return filling(value);
    },
    coerceMetadata(value, report, coerceOptions) {
      const own = isJsonObject(value) ? coerceRootMetadata(value, report, coerceOptions) : value;
      return embedded ? coerceEmbedded(own, schema, report, coerceOptions) : own;
    },
    prune: (value, report) => (isPruned(value) ? value : pruneUnknown(value, schema, report)),
    validate: (value) => joined(judge.errors(value), embeddedErrors(value), uniqueness(value)),
    validateUpdate: (value, old) =>
      joined(updateErrors(value, old), embeddedErrors(value), repeatedIn(value, old)),
    validateStatusUpdate: (value, old) => joined(statusErrors(value), NO_ERRORS, repeatedIn(value, old)),
  };
}

const NO_ERRORS: readonly FieldError[] = [];

/** One list of three, made only where there is something in it. */
function joined(
  first: readonly FieldError[],
  second: readonly FieldError[],
  third: readonly FieldError[],
): readonly FieldError[] {
  return first.length + second.length + third.length === 0 ? NO_ERRORS : [...first, ...second, ...third];
}

/** Two ways to look at a value: whether it is right, and what is wrong with it, which is compiled when something first is. */
interface Judge {
  readonly fits: Fits;
  errors(value: JsonValue, correlation?: Correlation): readonly FieldError[];
}

function compileJudge(schema: Schema, compilePattern: CompilePattern): Judge {
  const fits = compileFits(schema, compilePattern);
  let node: ValueNode | undefined;
  return {
    fits,
    errors(value, correlation) {
      if (fits(value)) return NO_ERRORS;
      node ??= compileValueNode(schema, compilePattern);
      const errors: FieldError[] = [];
      node.check(value, '', errors, correlation);
      return withoutRepetitions(errors);
    },
  };
}

/** Patterns are asked for twice, and the same ones stand in many places. */
function onlyOnce(compilePattern: CompilePattern): CompilePattern {
  const compiled = new Map<string, Pattern>();
  return (source) => {
    const known = compiled.get(source) ?? compilePattern(source);
    compiled.set(source, known);
    return known;
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
