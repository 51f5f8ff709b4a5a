import {
  doneSteps,
  type FieldError,
  isJsonObject,
  type JsonValue,
  MAXIMUM_FIELD_ERRORS,
  ownMember,
  runAtOnce,
  type Schema,
  type Steps,
} from '@ashlar/core';
import { type CompilePattern, compileLinearPattern } from '../formats/pattern.ts';
import { SchemaPatterns } from '../formats/schema-patterns.ts';
import { Correlation } from '../validate/correlation.ts';
import type { Fits } from '../validate/fits.ts';
import { compileUniqueness } from '../validate/list-uniqueness.ts';
import { TwoStepValidator } from '../validate/two-step-validator.ts';
import type { Compiled } from './compiled-schema.ts';
import type { DefaultLimits } from './default-budget.ts';
import { compileDefaults, type Defaulter } from './defaulting.ts';
import {
  type CoerceOptions,
  coerceEmbedded,
  coerceEmbeddedSteps,
  coerceRootMetadata,
} from './embedded-metadata.ts';
import { findLargeValues, isSmall, type LargeValues } from './large-values.ts';
import { pruneUnknown, pruneUnknownSteps, type ReportUnknownField } from './prune.ts';
import { compilePruned } from './pruned.ts';
import type { StructuralSchema } from './structural-schema.ts';
import { hasEmbedded, validateEmbedded, validateEmbeddedSteps } from './validate-embedded.ts';

/** Options of compiling a schema. */
export interface CompileStructuralOptions {
  /** Compiles `pattern`; default {@link compileLinearPattern}. */
  readonly compilePattern?: CompilePattern;
  /**
   * Whether patterns are compiled when an object is first validated, with pauses where it is validated in steps. Invalid ones are
   * reported then: for schemas that were checked before. Default: false
   */
  readonly compilesPatternsLater?: boolean;
}

/**
 * Compiles the schema of custom objects, once. For a write the steps are `coerceMetadata`, `prune`,
 * `applyDefaults`, and after admission `validate` (semantics/schemas#order).
 *
 * @throws TypeError if the schema has an invalid pattern; from the methods that validate, if patterns are compiled later
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
  const { compilePattern = compileLinearPattern, compilesPatternsLater = false } = options;
  const structure = new CompiledStructure(schema, new SchemaPatterns(schema, compilePattern));
  if (!compilesPatternsLater) structure.compilePatterns();
  return structure;
}

class CompiledStructure implements StructuralSchema {
  readonly schema: Schema;
  readonly #patterns: SchemaPatterns;
  readonly #validator: TwoStepValidator;
  readonly #isPruned: Compiled<Fits>;
  readonly #uniqueness: ReturnType<typeof compileUniqueness>;
  readonly #defaults: Defaulter;
  readonly #hasEmbedded: Compiled<boolean>;
  #filling: Defaulter | undefined;
  #dropping: Defaulter | undefined;
  #status: TwoStepValidator | undefined;

  constructor(schema: Schema, patterns: SchemaPatterns) {
    this.schema = schema;
    this.#patterns = patterns;
    this.#validator = new TwoStepValidator(schema, patterns.compile);
    this.#isPruned = compilePruned(schema);
    this.#uniqueness = compileUniqueness(schema);
    this.#defaults = compileDefaults(schema);
    this.#hasEmbedded = hasEmbedded(schema);
  }

  compilePatterns(): void {
    runAtOnce(this.#patterns.compileSteps());
  }

  *compileSteps(): Steps<void> {
    yield* this.#hasEmbedded.compileSteps();
    yield* this.#isPruned.compileSteps();
    yield* this.#uniqueness.compileSteps();
    yield* this.#defaults.compileSteps();
  }

  coerceMetadata(value: JsonValue, report: ReportUnknownField, options: CoerceOptions = {}): JsonValue {
    const own = isJsonObject(value) ? coerceRootMetadata(value, report, options) : value;
    return this.#hasEmbedded.whole ? coerceEmbedded(own, this.schema, report, options) : own;
  }

  coerceMetadataSteps(
    value: JsonValue,
    report: ReportUnknownField,
    options: CoerceOptions = {},
  ): Steps<JsonValue> {
    const own = isJsonObject(value) ? coerceRootMetadata(value, report, options) : value;
    return this.#hasEmbedded.whole ? this.#coerceEmbedded(own, report, options) : doneSteps(own);
  }

  *#coerceEmbedded(value: JsonValue, report: ReportUnknownField, options: CoerceOptions): Steps<JsonValue> {
    return yield* coerceEmbeddedSteps(value, this.schema, report, options, yield* findLargeValues(value));
  }

  prune(value: JsonValue, report: ReportUnknownField): JsonValue {
    return this.#isPruned.whole(value) ? value : pruneUnknown(value, this.schema, report);
  }

  pruneSteps(value: JsonValue, report: ReportUnknownField): Steps<JsonValue> {
    // looking costs so little that it needs no pause
    return this.#isPruned.whole(value) ? doneSteps(value) : pruneUnknownSteps(value, this.schema, report);
  }

  dropNullsSteps(value: JsonValue): Steps<JsonValue> {
    this.#dropping ??= compileDefaults(this.schema, { givesNone: true });
    return this.#dropping.fillInSteps(value);
  }

  applyDefaults(value: JsonValue, limits?: DefaultLimits): JsonValue {
    return this.#defaults.fillIn(value, limits);
  }

  applyDefaultsSteps(value: JsonValue, limits?: DefaultLimits): Steps<JsonValue> {
    return this.#defaults.fillInSteps(value, limits);
  }

  fillDefaults(value: JsonValue, limits?: DefaultLimits): JsonValue {
    return this.#fillingDefaults().fillIn(value, limits);
  }

  fillDefaultsSteps(value: JsonValue, limits?: DefaultLimits): Steps<JsonValue> {
    return this.#fillingDefaults().fillInSteps(value, limits);
  }

  validate(value: JsonValue, own: readonly FieldError[] = NO_ERRORS): readonly FieldError[] {
    return this.#withOthers(this.#validator.errors(value), value, own);
  }

  #withOthers(
    errors: readonly FieldError[],
    value: JsonValue,
    own: readonly FieldError[],
  ): readonly FieldError[] {
    const embedded = this.#hasEmbedded.whole ? validateEmbedded(value, this.schema) : NO_ERRORS;
    return joined(errors, own, embedded, this.#uniqueness.errors(value));
  }

  validateSteps(value: JsonValue, own: readonly FieldError[] = NO_ERRORS): Steps<readonly FieldError[]> {
    return this.#isValidAtOnce(value)
      ? doneSteps(this.#withOthers(NO_ERRORS, value, own))
      : this.#validateLarge(value, own);
  }

  *#compileValidatorSteps(): Steps<void> {
    yield* this.#patterns.compileSteps();
    yield* this.#validator.compileSteps();
  }

  /** Whether a value is small and fits, and nothing is left to be compiled before one knows. */
  #isValidAtOnce(value: JsonValue): boolean {
    return (
      this.#patterns.areCompiled &&
      this.#validator.isCompiled &&
      isSmall(value) &&
      this.#validator.fits(value)
    );
  }

  *#validateLarge(value: JsonValue, own: readonly FieldError[]): Steps<readonly FieldError[]> {
    yield* this.#compileValidatorSteps();
    const large = yield* findLargeValues(value);
    if (!large.has(value))
      return this.#withOthers(yield* this.#validator.errorsIfAnySteps(value), value, own);
    const errors = yield* this.#validator.errorsSteps(value);
    return joined(
      errors,
      own,
      yield* this.#embeddedSteps(value),
      yield* this.#uniqueness.errorsSteps(value, large),
    );
  }

  *validateInvariantsSteps(value: JsonValue): Steps<readonly FieldError[]> {
    const large = yield* findLargeValues(value);
    const embedded = yield* this.#embeddedSteps(value);
    return joined(NO_ERRORS, NO_ERRORS, embedded, yield* this.#uniqueness.errorsSteps(value, large));
  }

  validateUpdate(
    value: JsonValue,
    old: JsonValue,
    own: readonly FieldError[] = NO_ERRORS,
  ): readonly FieldError[] {
    return runAtOnce(this.#validateSmallUpdate(value, old, own));
  }

  *#validateSmallUpdate(
    value: JsonValue,
    old: JsonValue,
    own: readonly FieldError[],
  ): Steps<readonly FieldError[]> {
    // Old values are compared only where the new ones have errors.
    const errors = this.#validator.fits(value)
      ? NO_ERRORS
      : yield* this.#validator.errorsSteps(value, new Correlation(value, old, this.schema));
    return this.#withOthersOfUpdate(errors, value, old, own);
  }

  #withOthersOfUpdate(
    errors: readonly FieldError[],
    value: JsonValue,
    old: JsonValue,
    own: readonly FieldError[],
  ): readonly FieldError[] {
    const embedded = this.#hasEmbedded.whole ? validateEmbedded(value, this.schema) : NO_ERRORS;
    return joined(errors, own, embedded, this.#repeated(value, old));
  }

  validateUpdateSteps(
    value: JsonValue,
    old: JsonValue,
    own: readonly FieldError[] = NO_ERRORS,
  ): Steps<readonly FieldError[]> {
    return this.#isValidAtOnce(value)
      ? doneSteps(this.#withOthersOfUpdate(NO_ERRORS, value, old, own))
      : this.#validateLargeUpdate(value, old, own);
  }

  *#validateLargeUpdate(
    value: JsonValue,
    old: JsonValue,
    own: readonly FieldError[],
  ): Steps<readonly FieldError[]> {
    yield* this.#compileValidatorSteps();
    const large = yield* findLargeValues(value);
    if (!large.has(value)) return yield* this.#validateSmallUpdate(value, old, own);
    const found = yield* this.#validator.errorsSteps(value);
    const errors =
      found.length === 0
        ? found
        : yield* this.#validator.errorsSteps(value, new Correlation(value, old, this.schema));
    return joined(
      errors,
      own,
      yield* this.#embeddedSteps(value),
      yield* this.#repeatedSteps(value, old, large),
    );
  }

  validateStatusUpdate(
    value: JsonValue,
    old: JsonValue,
    own: readonly FieldError[] = NO_ERRORS,
  ): readonly FieldError[] {
    const status = this.#statusOf(value);
    const errors = status ? status.validator.errors(status.value).map(placedInStatus) : NO_ERRORS;
    return joined(errors, own, NO_ERRORS, this.#repeated(value, old));
  }

  *validateStatusUpdateSteps(
    value: JsonValue,
    old: JsonValue,
    own: readonly FieldError[] = NO_ERRORS,
  ): Steps<readonly FieldError[]> {
    yield* this.#patterns.compileSteps();
    const large = yield* findLargeValues(value);
    const status = this.#statusOf(value);
    const errors = status ? (yield* this.#statusErrors(status, large)).map(placedInStatus) : NO_ERRORS;
    if (!large.has(value)) return joined(errors, own, NO_ERRORS, this.#repeated(value, old));
    return joined(errors, own, NO_ERRORS, yield* this.#repeatedSteps(value, old, large));
  }

  *#statusErrors({ validator, value }: Status, large: LargeValues): Steps<readonly FieldError[]> {
    if (large.has(value)) return yield* validator.errorsSteps(value);
    yield* validator.compileSteps();
    return yield* validator.errorsIfAnySteps(value);
  }

  /** Returns the status of an object and its validator. */
  #statusOf(object: JsonValue): Status | undefined {
    const part = ownSchema(this.schema, 'status');
    const value = isJsonObject(object) ? ownMember(object, 'status') : undefined;
    if (!part || value === undefined) return undefined;
    this.#status ??= new TwoStepValidator(part, this.#patterns.compile);
    return { validator: this.#status, value };
  }

  #embeddedSteps(value: JsonValue): Steps<readonly FieldError[]> {
    return this.#hasEmbedded.whole ? validateEmbeddedSteps(value, this.schema) : doneSteps(NO_ERRORS);
  }

  #repeated(value: JsonValue, old: JsonValue): readonly FieldError[] {
    const errors = this.#uniqueness.errors(value);
    return errors.length === 0 || this.#uniqueness.errors(old).length > 0 ? NO_ERRORS : errors;
  }

  *#repeatedSteps(value: JsonValue, old: JsonValue, large: LargeValues): Steps<readonly FieldError[]> {
    const errors = yield* this.#uniqueness.errorsSteps(value, large);
    if (errors.length === 0) return NO_ERRORS;
    const before = yield* this.#uniqueness.errorsSteps(old, yield* findLargeValues(old));
    return before.length > 0 ? NO_ERRORS : errors;
  }

  #fillingDefaults(): Defaulter {
    this.#filling ??= compileDefaults(this.schema, { keepsNulls: true });
    return this.#filling;
  }
}

/** The status of an object, and what validates it. */
interface Status {
  readonly validator: TwoStepValidator;
  readonly value: JsonValue;
}

const NO_ERRORS: readonly FieldError[] = [];

/** The first hundred of some lists, concatenated only if they are not empty. */
function joined(...lists: readonly (readonly FieldError[])[]): readonly FieldError[] {
  return lists.every((list) => list.length === 0) ? NO_ERRORS : lists.flat().slice(0, MAXIMUM_FIELD_ERRORS);
}

const ownSchema = ({ properties = {} }: Schema, name: string): Schema | undefined =>
  Object.hasOwn(properties, name) ? properties[name] : undefined;

/** An error of a separately validated part of an object; its text keeps the path within the part. */
const placedInStatus = (error: FieldError): FieldError => ({
  ...error,
  field: error.field === '<nil>' ? 'status' : `status.${error.field}`,
});
