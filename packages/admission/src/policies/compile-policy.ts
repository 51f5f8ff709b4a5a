import type { Vocabulary } from '@ashlar/core';
import type { AdmissionExpression } from '../expressions/admission-expression.ts';
import { compileMatchConditions } from '../expressions/match-conditions.ts';
import { PolicyExpressions } from './policy-expressions.ts';
import type { PolicySpec, ValidatingAdmissionPolicySpec } from './policy-objects.ts';

/** The expressions that policies of both kinds have, compiled. */
export interface CompiledScope {
  readonly conditions: readonly AdmissionExpression[];
  readonly variables: ReadonlyMap<string, AdmissionExpression>;
}

/** Compiles match conditions, and variables for the expressions that follow. */
export function compileScope(
  { matchConditions, variables, paramKind }: PolicySpec,
  vocabulary: Vocabulary,
  expressions: PolicyExpressions,
): CompiledScope {
  const params = Boolean(paramKind);
  return {
    conditions: compileMatchConditions(matchConditions ?? [], { vocabulary, params }),
    variables: new Map((variables ?? []).map((variable) => [variable.name, expressions.variable(variable)])),
  };
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

/** Compiles a stored policy; expressions that cannot be compiled are errors when they are evaluated. */
export function compilePolicy(spec: ValidatingAdmissionPolicySpec, vocabulary: Vocabulary): CompiledPolicy {
  const expressions = new PolicyExpressions(spec, vocabulary);
  return {
    ...compileScope(spec, vocabulary, expressions),
    validations: (spec.validations ?? []).map(
      ({ expression, message = '', messageExpression = '', reason }) => ({
        expression: expressions.validation(expression),
        messageExpression:
          messageExpression.trim() === '' ? undefined : expressions.message(messageExpression),
        message: message.trim() || `failed expression: ${expression.trim()}`,
        reason: reason || 'Invalid',
      }),
    ),
    auditAnnotations: (spec.auditAnnotations ?? []).map(({ key, valueExpression }) => ({
      key,
      expression: expressions.auditAnnotation(valueExpression.trim()),
    })),
  };
}
