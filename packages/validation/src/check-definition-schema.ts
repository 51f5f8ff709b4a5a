import { type EnvironmentSet, environmentSet } from '@ashlar/cel';
import {
  type FieldError,
  FieldErrors,
  type JsonValue,
  jsonEqualSteps,
  runAtOnce,
  type Steps,
  type Vocabulary,
} from '@ashlar/core';
import { type CompilePattern, countCombinedSchemasSteps, inspectStructuralSchemaSteps } from '@ashlar/schema';
import { DefaultRules } from './default-rules.ts';
import { type DefinitionAllowance, MAXIMUM_COMBINED_SCHEMAS, newAllowance } from './definition-allowance.ts';
import { DefinitionRules } from './definition-rules.ts';
import { collectExpressions } from './stored-expressions.ts';

/** Options of checking the schema of a resource definition. */
export interface DefinitionSchemaOptions {
  /** Vocabulary whose prefix vendor extensions have. */
  readonly vocabulary: Vocabulary;
  /** Path of the schema: `spec.versions[0].schema.openAPIV3Schema`. */
  readonly path: string;
  /** Whether the version has the status subresource, which forbids some keywords at the root. */
  readonly statusSubresource?: boolean;
  /**
   * The schemas of all versions of the stored definition, on update: their expressions may use everything
   * that stored expressions may.
   */
  readonly storedSchemas?: readonly JsonValue[];
  /**
   * The stored schema of the version of the same name: while it is unchanged, expensive single rules are
   * accepted.
   */
  readonly storedSchema?: JsonValue;
  /**
   * What the definition may have in this schema and those that are checked after it. By default as much as one with a
   * single schema may have.
   */
  readonly allowance?: DefinitionAllowance;
  /** Environments of new and stored expressions; those of release 1.32 by default. */
  readonly environments?: EnvironmentSet;
  /** Compiles `pattern`; by default in linear time. */
  readonly compilePattern?: CompilePattern;
}

/**
 * Returns the errors of the schema of a resource definition: those of `checkStructuralSchema`
 * (semantics/schemas#structural-rules), and of the rules, each compiled and its cost estimated
 * (semantics/schemas#rules, #costs). The order of errors is unspecified. Rules are checked only if the schema
 * around them is valid.
 *
 * @example
 * checkDefinitionSchema(
 *   { type: 'object', 'x-…-validations': [{ rule: 'self.size > 1' }] },
 *   { vocabulary, path: 'spec.validation.openAPIV3Schema' },
 * ); // ….rule: Invalid value: …: compilation failed: ERROR: <input>:1:5: undefined field 'size'
 */
export function checkDefinitionSchema(
  document: JsonValue,
  options: DefinitionSchemaOptions,
): readonly FieldError[] {
  return runAtOnce(checkDefinitionSchemaSteps(document, options));
}

/** As {@link checkDefinitionSchema}, with pauses between the passes over the schema and between rules. */
export function* checkDefinitionSchemaSteps(
  document: JsonValue,
  options: DefinitionSchemaOptions,
): Steps<readonly FieldError[]> {
  const { vocabulary, path, storedSchema } = options;
  const { allowance = newAllowance() } = options;
  const isStored = storedSchema !== undefined && (yield* jsonEqualSteps(storedSchema, document));
  if (!isStored && !(yield* allowsCombined(document, allowance))) return [tooManyCombined(path)];
  const environments = options.environments ?? environmentSet('1.32', { vocabulary });
  const defaults = new DefaultRules(environments.forStored);
  const { schema, errors, brokenPlaces } = yield* inspectStructuralSchemaSteps(document, {
    ...options,
    validateDefault: (...args) => defaults.errors(...args),
  });
  if (!schema) return errors;
  yield;
  const rules = new DefinitionRules({
    environments,
    stored: collectExpressions(options.storedSchemas ?? [], vocabulary),
    keyword: `${vocabulary.extensionPrefix}validations`,
    brokenPlaces,
    allowance,
    toleratesCost: isStored,
  });
  return [...errors, ...(yield* rules.errorsSteps(schema, path))];
}

function* allowsCombined(document: JsonValue, allowance: DefinitionAllowance): Steps<boolean> {
  allowance.combinedSchemas -= yield* countCombinedSchemasSteps(document);
  return allowance.combinedSchemas >= 0;
}

function tooManyCombined(path: string): FieldError {
  const text = `must not have more than ${MAXIMUM_COMBINED_SCHEMAS} schemas in allOf, anyOf, oneOf and not, those of other versions included`;
  return FieldErrors.invalid(path, '', text);
}
