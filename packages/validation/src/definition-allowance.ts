import { MAXIMUM_EXPRESSIONS } from '@ashlar/cel';

/** Maximum number of schemas in combinations (semantics/schemas#structural-rules, choice). */
export const MAXIMUM_COMBINED_SCHEMAS = 25_000;

/** What the schemas of a definition may still have; all versions share it. Negative once there was more. */
export interface DefinitionAllowance {
  /** Rules and message expressions. */
  expressions: number;
  /** Schemas in `allOf`, `anyOf`, `oneOf` and `not`. */
  combinedSchemas: number;
}

/** The allowance of a definition none of whose schemas has been checked. */
export function newAllowance(): DefinitionAllowance {
  return { expressions: MAXIMUM_EXPRESSIONS, combinedSchemas: MAXIMUM_COMBINED_SCHEMAS };
}
