import {
  claimsDeclarations,
  type Environment,
  type Expression,
  listItems,
  Operator,
  type Program,
  sameType,
  serverEnvironment,
  types,
  userDeclarations,
  type Value,
} from '@ashlar/cel';
import { type JsonObject, oncePerVocabulary, type Vocabulary } from '@ashlar/core';

/** Maximum cost units of one expression, as in admission. */
const COST_LIMIT = 10_000_000;

/** The input of an expression: the claims of a token, or the user mapped from them. */
export type Subject = 'claims' | 'user';

/** A compiled expression. */
export interface ClaimsExpression {
  readonly text: string;
  /**
   * Evaluates the expression.
   * @throws Error if it fails, such as for an absent claim
   */
  evaluate(subject: JsonObject): Value;
  /** Whether it reads a claim by name. */
  reads(claim: string): boolean;
}

/**
 * Compiles an expression; returns its error as a string.
 * @param mustBeTrue whether it is a condition
 */
export function compileExpression(
  text: string,
  subject: Subject,
  vocabulary: Vocabulary,
  mustBeTrue: boolean,
): ClaimsExpression | string {
  const compiled = environmentsOf(vocabulary)[subject].compile(text);
  if (!compiled.ok) {
    const what = compiled.stage === 'plan' ? 'program instantiation failed' : 'compilation failed';
    return `${what}: ${compiled.text}`;
  }
  const { program, expression } = compiled;
  if (mustBeTrue && !sameType(expression.type, types.bool)) return 'must evaluate to bool';
  return {
    text,
    evaluate: (value) => evaluate(program, subject, value),
    reads: (claim) => readsClaim(expression.root, claim),
  };
}

const environmentsOf = oncePerVocabulary((vocabulary): Record<Subject, Environment> => {
  const base = serverEnvironment({ vocabulary });
  return { claims: base.extend(claimsDeclarations()), user: base.extend(userDeclarations(vocabulary)) };
});

function evaluate(program: Program, subject: Subject, value: JsonObject): Value {
  const result = program.evaluate({ [subject]: value }, { costLimit: COST_LIMIT });
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** The string result of an expression. @throws Error for other types */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  throw new Error('the expression must give a string');
}

/**
 * The string results of an expression, in a list or alone; empty ones and null are dropped. @throws Error for
 * other types
 */
export function textsOf(value: Value): readonly string[] {
  const items = value === null ? [] : typeof value === 'string' ? [value] : listItems(value);
  if (!items?.every((item) => typeof item === 'string'))
    throw new Error('the expression must give a string or a list of strings');
  return items.filter((item) => item !== '');
}

/** Whether an expression contains `claims.NAME`. */
function readsClaim(node: Expression | undefined, claim: string): boolean {
  if (!node) return false;
  const inAny = (nodes: readonly (Expression | undefined)[]): boolean =>
    nodes.some((each) => readsClaim(each, claim));
  switch (node.kind) {
    case 'select':
      return (isClaims(node.operand) && node.field === claim) || readsClaim(node.operand, claim);
    case 'call':
      return isOptionalClaim(node, claim) || inAny([node.target, ...node.arguments]);
    case 'list':
      return inAny(node.elements);
    case 'map':
      return inAny(node.entries.flatMap(({ key, value }) => [key, value]));
    case 'message':
      return inAny(node.fields.map(({ value }) => value));
    case 'comprehension':
      return inAny([node.range, node.initial, node.condition, node.step, node.result]);
    default:
      return false;
  }
}

const isClaims = (node: Expression | undefined): boolean =>
  node?.kind === 'identifier' && node.name === 'claims';

/** `claims.?NAME` */
function isOptionalClaim(node: Expression & { readonly kind: 'call' }, claim: string): boolean {
  const [operand, field] = node.arguments;
  return (
    node.function === Operator.optionalSelect &&
    isClaims(operand) &&
    field?.kind === 'constant' &&
    field.value === claim
  );
}
