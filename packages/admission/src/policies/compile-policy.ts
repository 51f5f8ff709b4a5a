import type { Steps, Vocabulary } from '@ashlar/core';
import { trimSpace } from '@ashlar/core';
import type { AdmissionExpression } from '../expressions/admission-expression.ts';
import { compileMatchConditions } from '../expressions/match-conditions.ts';
import { PolicyExpressions } from './policy-expressions.ts';
import type { PolicySpec, ValidatingAdmissionPolicySpec, Validation } from './policy-objects.ts';

/** The expressions that policies of both kinds have, compiled. */
export interface CompiledScope {
  readonly conditions: readonly AdmissionExpression[];
  readonly variables: ReadonlyMap<string, AdmissionExpression>;
}

/** Compiles match conditions, and variables for the expressions that follow, with a pause after each. */
export function* compileScopeSteps(
  { matchConditions, variables, paramKind }: PolicySpec,
  vocabulary: Vocabulary,
  expressions: PolicyExpressions,
): Steps<CompiledScope> {
  const params = Boolean(paramKind);
  const conditions = compileMatchConditions(matchConditions ?? [], { vocabulary, params });
  const compiled = yield* eachSteps(
    variables ?? [],
    (variable) => [variable.name, expressions.variable(variable)] as const,
  );
  return { conditions, variables: new Map(compiled) };
}

/** Compiles one after the other, with a pause after each. */
export function* eachSteps<T, R>(items: readonly T[], compile: (item: T) => R): Steps<R[]> {
  const compiled: R[] = [];
  for (const item of items) {
    compiled.push(compile(item));
    yield;
  }
  return compiled;
}

/** A validation of a policy, compiled. */
export interface CompiledValidation {
  readonly expression: AdmissionExpression;
  readonly messageExpression: AdmissionExpression | undefined;
  /** The text without a messageExpression: the message, else the expression. */
  readonly message: string;
  readonly reason: string;
}

/** The expressions of a policy, compiled. */
export interface CompiledPolicy extends CompiledScope {
  readonly validations: readonly CompiledValidation[];
  readonly auditAnnotations: readonly { readonly key: string; readonly expression: AdmissionExpression }[];
}

/** Compiles a stored policy, with pauses; expressions that cannot be compiled are errors when they are evaluated. */
export function* compilePolicySteps(
  spec: ValidatingAdmissionPolicySpec,
  vocabulary: Vocabulary,
): Steps<CompiledPolicy> {
  const expressions = new PolicyExpressions(spec, vocabulary);
  const scope = yield* compileScopeSteps(spec, vocabulary, expressions);
  const validations = yield* eachSteps(spec.validations ?? [], (each) =>
    compileValidation(each, expressions),
  );
  const auditAnnotations = yield* eachSteps(spec.auditAnnotations ?? [], ({ key, valueExpression }) => ({
    key,
    expression: expressions.auditAnnotation(trimSpace(valueExpression)),
  }));
  return { ...scope, validations, auditAnnotations };
}

function compileValidation(
  { expression, message = '', messageExpression = '', reason }: Validation,
  expressions: PolicyExpressions,
): CompiledValidation {
  return {
    expression: expressions.validation(expression),
    messageExpression:
      trimSpace(messageExpression) === '' ? undefined : expressions.message(messageExpression),
    message: trimSpace(message) || `failed expression: ${trimSpace(expression)}`,
    reason: reason || 'Invalid',
  };
}
