import { isKeyword, MAXIMUM_EXPRESSIONS } from '@ashlar/cel';
import {
  choiceErrors,
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  fieldErrorsOfSteps,
  parseApiVersion,
  type Steps,
  trimSpace,
} from '@ashlar/core';
import type { AdmissionExpression } from '../expressions/admission-expression.ts';
import { type MatchConditionOptions, matchConditionErrors } from '../expressions/match-conditions.ts';
import { matchResourcesErrorsSteps } from './match-resources-errors.ts';
import type { PolicyExpressions } from './policy-expressions.ts';
import type { MatchResources, ParamKind, PolicySpec, Variable } from './policy-objects.ts';

const FAILURE_POLICIES = ['Fail', 'Ignore'];

/**
 * Returns the errors of what policies of both kinds have (semantics/admission#validatingadmissionpolicy), and declares the variables for the
 * expressions that follow. Pauses where there are many.
 */
export function* commonPolicyErrorsSteps(
  spec: PolicySpec,
  expressions: PolicyExpressions,
  options: Omit<MatchConditionOptions, 'params'>,
): Steps<readonly FieldError[]> {
  const { paramKind, matchConstraints, matchConditions, variables, failurePolicy } = spec;
  return [
    ...choiceErrors('spec.failurePolicy', failurePolicy ?? 'Fail', FAILURE_POLICIES),
    ...(paramKind ? paramKindErrors(paramKind, 'spec.paramKind') : []),
    ...(yield* matchConstraintsErrors(matchConstraints)),
    ...matchConditionErrors(matchConditions ?? [], 'spec.matchConditions', {
      ...options,
      params: Boolean(paramKind),
    }),
    ...(yield* variablesErrors(variables ?? [], expressions)),
  ];
}

/**
 * Returns the error of a policy with more expressions than may be (semantics/admission#validatingadmissionpolicy, choice): they are not even
 * compiled.
 * @param texts of all of them; empty ones do not count
 */
export function tooManyExpressions(texts: Iterable<string>, field: string): FieldError | undefined {
  let count = 0;
  for (const text of texts) if (text !== '') count++;
  return count > MAXIMUM_EXPRESSIONS ? FieldErrors.tooMany(field, count, MAXIMUM_EXPRESSIONS) : undefined;
}

/** Returns the errors of what a policy matches. */
function* matchConstraintsErrors(
  constraints: MatchResources | null | undefined,
): Steps<readonly FieldError[]> {
  const path = 'spec.matchConstraints';
  if (!constraints) return [FieldErrors.required(path)];
  const isEmpty = (constraints.resourceRules ?? []).length === 0;
  return [
    ...(yield* matchResourcesErrorsSteps(constraints, path)),
    ...(isEmpty ? [FieldErrors.required(`${path}.resourceRules`)] : []),
  ];
}

/** Returns the errors of a kind of parameters. */
function paramKindErrors({ apiVersion = '', kind = '' }: ParamKind, path: string): readonly FieldError[] {
  return [...paramVersionErrors(apiVersion, `${path}.apiVersion`), ...kindErrors(kind, `${path}.kind`)];
}

function paramVersionErrors(apiVersion: string, path: string): readonly FieldError[] {
  if (apiVersion === '') return [FieldErrors.required(path)];
  const parsed = parseApiVersion(apiVersion);
  if (!parsed)
    return [FieldErrors.invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const { group, version } = parsed;
  const ofGroup = group === '' ? [] : dns1123SubdomainErrors(group);
  const ofVersion = version === '' ? [] : dns1035LabelErrors(version);
  return [
    ...(ofGroup.length > 0 ? [FieldErrors.invalid(path, group, ofGroup.join(','))] : []),
    ...(version === '' ? [FieldErrors.invalid(path, apiVersion, 'version must be specified')] : []),
    ...(ofVersion.length > 0 ? [FieldErrors.invalid(path, version, ofVersion.join(','))] : []),
  ];
}

function kindErrors(kind: string, path: string): readonly FieldError[] {
  if (kind === '') return [FieldErrors.required(path)];
  const why = dns1035LabelErrors(kind.toLowerCase());
  if (why.length === 0) return [];
  return [
    FieldErrors.invalid(path, kind, `may have mixed case, but should otherwise match: ${why.join(',')}`),
  ];
}

/** Returns the errors of variables, and declares them for the expressions after them. */
function variablesErrors(
  variables: readonly Variable[],
  expressions: PolicyExpressions,
): Steps<readonly FieldError[]> {
  return fieldErrorsOfSteps(variables, (variable, index) => {
    const path = `spec.variables[${index}]`;
    const { name = '', expression = '' } = variable;
    return [
      ...nameErrors(name, `${path}.name`),
      ...(trimSpace(expression) === ''
        ? [FieldErrors.required(`${path}.expression`, 'expression is not specified')]
        : compileErrors(expressions.variable(variable), `${path}.expression`)),
    ];
  });
}

const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;

function nameErrors(name: string, path: string): readonly FieldError[] {
  if (trimSpace(name) === '') return [FieldErrors.required(path, 'name is not specified')];
  if (IDENTIFIER.test(name) && !isKeyword(name)) return [];
  return [FieldErrors.invalid(path, name, 'name is not a valid CEL identifier')];
}

/** Returns the error of an expression that cannot be compiled. */
export const compileErrors = (
  { text, error }: AdmissionExpression,
  path: string,
  shown: string = text,
): readonly FieldError[] => (error === '' ? [] : [FieldErrors.invalid(path, shown, error)]);
