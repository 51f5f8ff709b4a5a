/**
 * Maximum number of expressions of one definition or policy, each of which is compiled
 * (semantics/schemas#rules, choice).
 */
export const MAXIMUM_EXPRESSIONS = 1_250;
