import type { Bindings, Value } from '@ashlar/cel';
import type { Vocabulary } from '@ashlar/core';
import { trimSpace } from '@ashlar/core';
import {
  Budget,
  type Evaluating,
  type ExpressionResult,
  evaluateExpression,
  OutOfBudget,
  POLICY_BUDGET,
  type PolicyAmbient,
  tryExpression,
} from '../expressions/evaluate-expression.ts';
import type { ExplainedExpression, Explanation } from '../expressions/explanation.ts';
import { meetsConditions } from '../expressions/match-conditions.ts';
import { RequestBindings, type RequestValues } from '../expressions/request-bindings.ts';
import type { CompiledPolicy, CompiledValidation } from './compile-policy.ts';
import { LazyVariables } from './lazy-variables.ts';

const MAXIMUM_MESSAGE_BYTES = 5 * 1024;

/** What a policy says against a request. */
export interface PolicyFailure {
  readonly message: string;
  /** Reason of the response. */
  readonly reason: string;
  /** Place of the validation; 0 if it concerns the policy itself. */
  readonly expressionIndex: number;
}

/** Result of a policy with one binding and one set of parameters. */
export interface PolicyResult {
  readonly failures: readonly PolicyFailure[];
  /** Annotations with values. */
  readonly auditAnnotations: readonly { readonly key: string; readonly value: string }[];
  /** Errors of audit annotations, which deny the request whatever the actions are. */
  readonly annotationErrors: readonly string[];
  /** Errors of validations that the failure policy passes over. */
  readonly ignoredErrors?: readonly string[];
  /** Cost units of each validation, with the variables that it was the first to read. */
  readonly costs: readonly number[];
  /** Each expression that was evaluated with its value, in order; absent by default. */
  readonly expressions?: readonly ExplainedExpression[];
}

/** What a policy is evaluated on. */
export interface PolicyInput {
  readonly policy: CompiledPolicy;
  /** Whether errors are passed over: the failure policy Ignore. */
  readonly ignoresErrors: boolean;
  readonly values: RequestValues;
  /** Null if there are none. */
  readonly params: Value;
  readonly vocabulary: Vocabulary;
  readonly ambient: PolicyAmbient;
  /** Called with whether the match conditions hold, or with the text of their error. */
  readonly onConditions?: ((met: boolean | string) => void) | undefined;
  /** Gets the value of each expression; absent if they are not needed. */
  readonly explanation?: Explanation;
}

const NONE: readonly never[] = [];

/** The result of a policy that has nothing to say. */
export const NOTHING: PolicyResult = { failures: [], auditAnnotations: [], annotationErrors: [], costs: [] };

/** Evaluates a policy (semantics/admission#validatingadmissionpolicy, steps 2 to 4). */
export function* evaluatePolicy(input: PolicyInput): Evaluating<PolicyResult> {
  const { policy, ignoresErrors, values, params, explanation } = input;
  if (policy.conditions.length > 0) {
    const met = yield* meetsConditions(policy.conditions, RequestBindings.of(values, params), explanation);
    input.onConditions?.(met);
    if (met === false) return NOTHING;
    if (met !== true) return ignoresErrors ? NOTHING : { ...NOTHING, failures: [failureOf(met)] };
  }
  const variables =
    policy.variables.size > 0
      ? new LazyVariables(policy.variables, input.vocabulary, input.ambient, explanation)
      : undefined;
  const bindings = RequestBindings.of(values, params, variables);
  const budget = new Budget(POLICY_BUDGET);
  let results: readonly ExpressionResult[];
  try {
    variables?.bind(bindings, budget);
    results = yield* evaluateAll(input, bindings, budget, variables);
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    if (ignoresErrors) return { ...NOTHING, ignoredErrors: [error.message] };
    return { ...NOTHING, failures: [failureOf(error.message)] };
  }
  const costs = results.map(({ cost }) => cost);
  const isMet = results.every(({ value }) => value === true);
  const failures = isMet ? NONE : yield* failuresOf(input, results, budget, variables);
  const ignored = isMet || !ignoresErrors ? {} : { ignoredErrors: errorsOf(results) };
  if (policy.auditAnnotations.length === 0)
    return { failures, costs, auditAnnotations: NONE, annotationErrors: NONE, ...ignored };
  const annotations = yield* evaluateAnnotations(input, bindings, variables);
  return { ...annotations, failures: [...failures, ...annotations.failures], costs, ...ignored };
}

const errorsOf = (results: readonly ExpressionResult[]): readonly string[] =>
  results.flatMap(({ error }) => error ?? []);

const failureOf = (message: string): PolicyFailure => ({ message, reason: 'Invalid', expressionIndex: 0 });

function* evaluateAll(
  { policy: { validations }, explanation }: PolicyInput,
  bindings: Bindings,
  budget: Budget,
  variables: LazyVariables | undefined,
): Evaluating<readonly ExpressionResult[]> {
  const results: ExpressionResult[] = [];
  for (const { expression } of validations) {
    // most are evaluated at once: without a generator of their own
    let result = tryExpression(expression, bindings, budget, variables);
    while (result instanceof Promise) {
      yield result;
      result = tryExpression(expression, bindings, budget, variables);
    }
    if (budget.isPauseDue()) yield undefined;
    explanation?.add(`spec.validations[${results.length}].expression`, expression, result);
    results.push(result);
  }
  return results;
}

/** Returns what validations that do not hold say. */
function* failuresOf(
  input: PolicyInput,
  results: readonly ExpressionResult[],
  budget: Budget,
  variables: LazyVariables | undefined,
): Evaluating<readonly PolicyFailure[]> {
  const isFalse = ({ value, error }: ExpressionResult): boolean => error === undefined && value !== true;
  const messages = results.some(isFalse) ? yield* evaluateMessages(input, budget, variables) : [];
  const failures: PolicyFailure[] = [];
  for (const [expressionIndex, result] of results.entries()) {
    const { message, reason } = input.policy.validations[expressionIndex] as CompiledValidation;
    const { error } = result;
    if (isFalse(result))
      failures.push({ message: messages[expressionIndex] ?? message, reason, expressionIndex });
    else if (error !== undefined && !input.ignoresErrors)
      failures.push({ message: error, reason: 'Invalid', expressionIndex });
  }
  return failures;
}

/** Evaluates all messages within what validations left of the budget; there are none if that is not enough. */
function* evaluateMessages(
  { policy, values, params, explanation }: PolicyInput,
  budget: Budget,
  variables: LazyVariables | undefined,
): Evaluating<readonly (string | undefined)[]> {
  const bindings = RequestBindings.of(values, params, variables, false);
  variables?.bind(bindings, budget);
  const messages: (string | undefined)[] = [];
  try {
    for (const { messageExpression } of policy.validations) {
      const result =
        messageExpression && (yield* evaluateExpression(messageExpression, bindings, budget, variables));
      if (messageExpression && result)
        explanation?.add(`spec.validations[${messages.length}].messageExpression`, messageExpression, result);
      messages.push(result && messageText(result));
    }
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    return [];
  }
  return messages;
}

/** Returns the text of a message; undefined if another has to be shown. */
function messageText({ value }: ExpressionResult): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = trimSpace(value);
  const isShort = text.length * 3 <= MAXIMUM_MESSAGE_BYTES || bytesOf(text) <= MAXIMUM_MESSAGE_BYTES;
  return text !== '' && isShort && !text.includes('\n') ? text : undefined;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

function* evaluateAnnotations(
  { policy, ignoresErrors, explanation }: PolicyInput,
  bindings: Bindings,
  variables: LazyVariables | undefined,
): Evaluating<PolicyResult> {
  const budget = new Budget(POLICY_BUDGET);
  variables?.bind(bindings, budget);
  const auditAnnotations: { key: string; value: string }[] = [];
  const annotationErrors: string[] = [];
  try {
    for (const [index, { key, expression }] of policy.auditAnnotations.entries()) {
      const result = yield* evaluateExpression(expression, bindings, budget, variables);
      explanation?.add(`spec.auditAnnotations[${index}].valueExpression`, expression, result, key);
      const { value, error } = result;
      if (error !== undefined && !ignoresErrors) annotationErrors.push(error);
      if (typeof value === 'string' && trimSpace(value) !== '')
        auditAnnotations.push({ key, value: trimSpace(value) });
    }
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    return ignoresErrors ? NOTHING : { ...NOTHING, failures: [failureOf(error.message)] };
  }
  return { ...NOTHING, auditAnnotations, annotationErrors };
}
