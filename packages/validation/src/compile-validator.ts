import { compileRuleTree, type Environment, type RuleTree, serverEnvironment } from '@ashlar/cel';
import type { FieldError, JsonValue, Schema, Steps, Vocabulary } from '@ashlar/core';
import { type CompilePattern, compileStructural, type StructuralSchema } from '@ashlar/schema';
import { hasRules } from './has-rules.ts';
import { ObjectRules } from './object-rules.ts';
import type { ObjectValidator, ValidationContext } from './object-validator.ts';
import { uncheckedError, unsafeForRules } from './unsafe-for-rules.ts';

/** Options of compiling the validator of a schema. */
export interface CompileValidatorOptions {
  /** Names of types in expressions; also determines their costs. */
  readonly vocabulary: Vocabulary;
  /** The compiled schema; by default it is compiled on first use. */
  readonly structure?: StructuralSchema;
  /** Environment of the rules; by default the server's environment for stored expressions, which has all libraries. */
  readonly environment?: Environment;
  /** Compiles `pattern`; by default in linear time. */
  readonly compilePattern?: CompilePattern;
}

/**
 * Compiles the validator of a schema and its rules. Nothing is compiled before the first object; after that
 * the validator is stateless, so that forked servers share it.
 *
 * Objects must be pruned and defaulted. A rule that cannot be compiled fails every object, with the reason.
 *
 * @throws TypeError from its methods, if the schema has an invalid pattern
 * @example
 * const validator = compileValidator(
 *   {
 *     type: 'object',
 *     properties: { min: { type: 'integer' }, max: { type: 'integer' } },
 *     validations: [{ rule: 'self.min <= self.max', message: 'min is above max' }],
 *   },
 *   { vocabulary },
 * );
 * validator.validate({ min: 2, max: 1 }).map(fieldErrorText); // ['<nil>: Invalid value: "object": min is
 * above max']
 */
export function compileValidator(schema: Schema, options: CompileValidatorOptions): ObjectValidator {
  return new SchemaValidator(schema, options);
}

class SchemaValidator implements ObjectValidator {
  readonly #schema: Schema;
  readonly #options: CompileValidatorOptions;
  #structure: StructuralSchema | undefined;
  /** Null where the schema has no rules. */
  #rules: ObjectRules | null | undefined;

  constructor(schema: Schema, options: CompileValidatorOptions) {
    this.#schema = schema;
    this.#options = options;
    this.#structure = options.structure;
  }

  validate(object: JsonValue, context: ValidationContext = NO_CONTEXT): readonly FieldError[] {
    const errors = this.#structural().validate(object, context.own);
    const rules = this.#ruleTree();
    if (!rules) return errors;
    if (unsafeForRules(errors, context.found)) return [...errors, uncheckedError];
    return joined(errors, rules.validate(object));
  }

  *validateSteps(object: JsonValue, context: ValidationContext = NO_CONTEXT): Steps<readonly FieldError[]> {
    const errors = yield* this.#structural().validateSteps(object, context.own);
    const rules = this.#ruleTree();
    if (!rules) return errors;
    if (unsafeForRules(errors, context.found)) return [...errors, uncheckedError];
    return joined(errors, yield* rules.validateSteps(object));
  }

  *validateOtherKindSteps(
    object: JsonValue,
    old: JsonValue | undefined,
    { warn }: ValidationContext = NO_CONTEXT,
  ): Steps<readonly FieldError[]> {
    const errors = yield* this.#structural().validateInvariantsSteps(object);
    const rules = this.#ruleTree();
    if (!rules) return errors;
    if (unsafeForRules(errors)) return [...errors, uncheckedError];
    const broken = old ? rules.validateUpdateSteps(object, old, warn) : rules.validateSteps(object);
    return joined(errors, yield* broken);
  }

  validateUpdate(
    object: JsonValue,
    old: JsonValue,
    context: ValidationContext = NO_CONTEXT,
  ): readonly FieldError[] {
    const errors = this.#structural().validateUpdate(object, old, context.own);
    const rules = this.#ruleTree();
    if (!rules) return errors;
    if (unsafeForRules(errors, context.found)) return [...errors, uncheckedError];
    return joined(errors, rules.validateUpdate(object, old, context.warn));
  }

  *validateUpdateSteps(
    object: JsonValue,
    old: JsonValue,
    context: ValidationContext = NO_CONTEXT,
  ): Steps<readonly FieldError[]> {
    const errors = yield* this.#structural().validateUpdateSteps(object, old, context.own);
    const rules = this.#ruleTree();
    if (!rules) return errors;
    if (unsafeForRules(errors, context.found)) return [...errors, uncheckedError];
    return joined(errors, yield* rules.validateUpdateSteps(object, old, context.warn));
  }

  validateStatusUpdate(
    object: JsonValue,
    old: JsonValue,
    context: ValidationContext = NO_CONTEXT,
  ): readonly FieldError[] {
    const errors = this.#structural().validateStatusUpdate(object, old, context.own);
    const rules = this.#ruleTree();
    if (!rules) return errors;
    if (unsafeForRules(errors, context.found)) return [...errors, uncheckedError];
    return joined(errors, rules.validate(object, old));
  }

  *validateStatusUpdateSteps(
    object: JsonValue,
    old: JsonValue,
    context: ValidationContext = NO_CONTEXT,
  ): Steps<readonly FieldError[]> {
    const errors = yield* this.#structural().validateStatusUpdateSteps(object, old, context.own);
    const rules = this.#ruleTree();
    if (!rules) return errors;
    if (unsafeForRules(errors, context.found)) return [...errors, uncheckedError];
    return joined(errors, yield* rules.validateSteps(object, old));
  }

  #structural(): StructuralSchema {
    const { compilePattern } = this.#options;
    this.#structure ??= compileStructural(this.#schema, {
      ...(compilePattern && { compilePattern }),
      compilesPatternsLater: true,
    });
    return this.#structure;
  }

  #ruleTree(): ObjectRules | null {
    if (this.#rules === undefined) {
      const tree = compileRules(this.#schema, this.#options);
      this.#rules = tree ? new ObjectRules(tree, this.#schema) : null;
    }
    return this.#rules;
  }
}

const NO_CONTEXT: ValidationContext = {};

function compileRules(
  schema: Schema,
  { vocabulary, environment }: CompileValidatorOptions,
): RuleTree | undefined {
  return hasRules(schema)
    ? compileRuleTree(schema, true, environment ?? serverEnvironment({ vocabulary }))
    : undefined;
}

const joined = (errors: readonly FieldError[], more: readonly FieldError[]): readonly FieldError[] =>
  errors.length === 0 ? more : more.length === 0 ? errors : [...errors, ...more];
