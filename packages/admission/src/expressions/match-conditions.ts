import { type Bindings, types } from '@ashlar/cel';
import {
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  qualifiedNameErrors,
  trimSpace,
  type Vocabulary,
} from '@ashlar/core';
import { type AdmissionExpression, AdmissionScope } from './admission-expression.ts';
import { Budget, type Evaluating, evaluateExpression, OutOfBudget } from './evaluate-expression.ts';
import type { Explanation } from './explanation.ts';

/** A condition of a webhook or a policy: an expression that must be true for it to apply. */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** Maximum cost units of all conditions for one request. */
const BUDGET = 2_500_000;

const MAXIMUM_CONDITIONS = 64;

/** The kind of conditions, and what is known of them. */
export interface MatchConditionOptions {
  readonly vocabulary: Vocabulary;
  /** Whether they read `params`. */
  readonly params: boolean;
  /** Whether an expression must be one that the release before knows too. */
  isNew(expression: string): boolean;
}

/** Compiles conditions as they are stored. */
export function compileMatchConditions(
  conditions: readonly MatchCondition[],
  options: Omit<MatchConditionOptions, 'isNew'>,
): readonly AdmissionExpression[] {
  if (conditions.length === 0) return [];
  const scope = new AdmissionScope(options);
  return conditions.map(({ expression }) => scope.compile(trimSpace(expression), [types.bool], false));
}

/** Returns the errors of conditions: names, duplicates, and expressions that cannot be compiled. */
export function matchConditionErrors(
  conditions: readonly MatchCondition[],
  path: string,
  options: MatchConditionOptions,
): readonly FieldError[] {
  if (conditions.length > MAXIMUM_CONDITIONS)
    return [FieldErrors.tooMany(path, conditions.length, MAXIMUM_CONDITIONS)];
  const names = new Set<string>();
  const scope = new AdmissionScope(options);
  return fieldErrorsOf(conditions, ({ name, expression }, index) => {
    const field = `${path}[${index}]`;
    const isDuplicate = name !== '' && names.has(name);
    names.add(name);
    return [
      ...expressionErrors(expression, `${field}.expression`, scope, options),
      ...(name === ''
        ? [FieldErrors.required(`${field}.name`)]
        : qualifiedNameErrors(name).map((why) => FieldErrors.invalid(`${field}.name`, name, why))),
      ...(isDuplicate ? [FieldErrors.duplicate(`${field}.name`, name)] : []),
    ];
  });
}

function expressionErrors(
  expression: string,
  path: string,
  scope: AdmissionScope,
  options: MatchConditionOptions,
): readonly FieldError[] {
  const text = trimSpace(expression);
  if (text === '') return [FieldErrors.required(path)];
  const { error } = scope.compile(text, [types.bool], options.isNew(expression));
  return error === '' ? [] : [FieldErrors.invalid(path, text, error)];
}

/**
 * Whether a request meets all conditions: a false one decides, whatever the others are (semantics/admission#webhook-configuration).
 * @returns the text of the error if there is one and none is false
 */
export function* meetsConditions(
  conditions: readonly AdmissionExpression[],
  bindings: Bindings,
  explanation?: Explanation,
): Evaluating<boolean | string> {
  const budget = new Budget(BUDGET);
  const errors = new Set<string>();
  for (const [index, condition] of conditions.entries()) {
    try {
      const result = yield* evaluateExpression(condition, bindings, budget);
      explanation?.add(`spec.matchConditions[${index}].expression`, condition, result);
      const { value, error } = result;
      if (error !== undefined) errors.add(error);
      else if (value !== true) return false;
    } catch (error) {
      if (error instanceof OutOfBudget) return error.message;
      throw error;
    }
  }
  if (errors.size === 0) return true;
  return errors.size === 1 ? ([...errors][0] as string) : `[${[...errors].join(', ')}]`;
}
