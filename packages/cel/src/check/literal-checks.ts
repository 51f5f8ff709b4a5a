import { compileLiteral } from '../regex/regex.ts';
import { type CallNode, childrenOf, type Expression } from '../syntax/ast.ts';
import type { Issue } from '../syntax/source.ts';
import { parseDuration, parseTimestamp } from '../values/time.ts';
import { EvaluationError, type Value } from '../values/values.ts';
import type { CheckedExpression } from './checked-expression.ts';
import { formatIssue } from './format-check.ts';
import { type CelType, optionalContent, types, typeText } from './types.ts';

type LiteralCheck = (value: Value) => boolean;

const CHECKS: Readonly<Record<string, LiteralCheck>> = {
  duration: (value) => typeof value === 'string' && parseDuration(value) !== undefined,
  timestamp: (value) => typeof value !== 'string' || parseTimestamp(value) !== undefined,
  matches: (value) => typeof value !== 'string' || !(compileLiteral(value) instanceof EvaluationError),
};

/** Functions whose arguments may be lists of mixed types. */
const MIXED_ARGUMENTS: ReadonlySet<string> = new Set(['format']);

/** Checks of literals. */
export interface LiteralChecks {
  /** Whether literal durations, timestamps, patterns and formats are valid. */
  readonly contents: boolean;
  /** Whether the elements of list and map literals have one type, except of lists that are formatted. */
  readonly elements: boolean;
}

/** Returns the errors of literals: those that can never evaluate, and mixed lists and maps. */
export function validateLiterals(expression: CheckedExpression, checks: LiteralChecks): Issue[] {
  const issues: Issue[] = [];
  const visit = (node: Expression, elements: boolean): void => {
    if (node.kind === 'call' && checks.contents) checkCall(expression, node, issues);
    if (elements) checkElements(expression, node, issues);
    const within = elements && !(node.kind === 'call' && MIXED_ARGUMENTS.has(node.function));
    for (const child of childrenOf(node)) visit(child, within);
  };
  visit(expression.root, checks.elements);
  return issues;
}

function checkCall(expression: CheckedExpression, node: CallNode, issues: Issue[]): void {
  checkArgument(node, issues);
  const issue = formatIssue(expression, node);
  if (issue) issues.push(issue);
}

function checkArgument(node: CallNode, issues: Issue[]): void {
  const [literal] = node.arguments;
  const check = Object.hasOwn(CHECKS, node.function) ? CHECKS[node.function] : undefined;
  if (!check || literal?.kind !== 'constant' || check(literal.value)) return;
  issues.push({ message: `invalid ${node.function} argument`, position: literal.position });
}

function checkElements(expression: CheckedExpression, node: Expression, issues: Issue[]): void {
  if (node.kind === 'list') {
    sameTypes(
      expression,
      node.elements.map((element, i) => [element, node.optionals.has(i)]),
      issues,
    );
  } else if (node.kind === 'map') {
    sameTypes(
      expression,
      node.entries.map((entry) => [entry.key, false]),
      issues,
    );
    sameTypes(
      expression,
      node.entries.map((entry) => [entry.value, entry.optional]),
      issues,
    );
  }
}

function sameTypes(
  expression: CheckedExpression,
  elements: readonly (readonly [node: Expression, optional: boolean])[],
  issues: Issue[],
): void {
  let first: CelType | undefined;
  for (const [node, optional] of elements) {
    const own = expression.types[node.id] ?? types.dyn;
    const type = optional ? (optionalContent(own) ?? own) : own;
    first ??= type;
    if (equivalent(first, type)) continue;
    const message = `expected type '${typeText(first)}' but found '${typeText(type)}'`;
    issues.push({ message, position: node.position });
    return;
  }
}

/** Whether two types are equal apart from unbound parameters. */
function equivalent(a: CelType, b: CelType): boolean {
  if (a.kind !== b.kind || a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
  return a.parameters.every((parameter, i) => equivalent(parameter, b.parameters[i] as CelType));
}
