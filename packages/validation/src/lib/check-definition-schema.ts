import { type EnvironmentSet, environmentSet } from '@ashlar/cel';
import type { FieldError, JsonValue, Vocabulary } from '@ashlar/core';
import { type CompilePattern, checkStructuralSchema } from '@ashlar/schema';

/** How to check the schema of a resource definition. */
export interface DefinitionSchemaOptions {
  /** Whose prefix vendor extensions have. */
  readonly vocabulary: Vocabulary;
  /** Where the schema stands: `spec.versions[0].schema.openAPIV3Schema`. */
  readonly path: string;
  /** Whether the version has the status subresource, which forbids some keywords at the root. */
  readonly statusSubresource?: boolean;
  /**
   * The schemas of all versions of the stored definition, when it is updated: their expressions may go on using all that stored
   * expressions may.
   */
  readonly storedSchemas?: readonly JsonValue[];
  /** The stored schema of the version of the same name: while it is the same, a rule that costs too much is let pass. */
  readonly storedSchema?: JsonValue;
  /** What new and stored expressions may use; default is that of release 1.32. */
  readonly environments?: EnvironmentSet;
  /** Compiles `pattern`; by default in linear time. */
  readonly compilePattern?: CompilePattern;
}

/**
 * What is wrong with the schema of a resource definition: all that `checkStructuralSchema` says (semantics H2), and the rules, each
 * compiled and its cost estimated (semantics H6, H7). Errors come in no certain order.
 *
 * @example
 * checkDefinitionSchema(
 *   { type: 'object', 'x-…-validations': [{ rule: 'self.size' }] },
 *   { vocabulary, path: 'spec.validation.openAPIV3Schema' },
 * ); // …x-…-validations[0].rule: Invalid value: …: compilation failed: ERROR: <input>:1:5: undefined field 'size'
 */
export function checkDefinitionSchema(
  schema: JsonValue,
  options: DefinitionSchemaOptions,
): readonly FieldError[] {
  return checkStructuralSchema(schema, options);
}

export const RELEASE: EnvironmentSet = environmentSet('1.32');
