import {
  choiceErrors,
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  fieldErrorsOfSteps,
  qualifiedNameErrors,
  runAtOnce,
  type Steps,
  trimSpace,
  type Vocabulary,
} from '@ashlar/core';
import { commonPolicyErrorsSteps, compileErrors, tooManyExpressions } from './policy-errors.ts';
import { PolicyExpressions } from './policy-expressions.ts';
import type {
  AuditAnnotation,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
  Validation,
} from './policy-objects.ts';

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const MAXIMUM_AUDIT_ANNOTATIONS = 20;
const MAXIMUM_VALUE_EXPRESSION_BYTES = 5 * 1024;
const NEITHER = 'validations or auditAnnotations must contain at least one item';

/**
 * Returns the errors of a policy (semantics/admission#validatingadmissionpolicy).
 * @param stored the policy before the change: its expressions stay valid
 */
export function validatingPolicyErrors(
  policy: ValidatingAdmissionPolicy,
  vocabulary: Vocabulary,
  stored?: ValidatingAdmissionPolicy,
): readonly FieldError[] {
  return runAtOnce(validatingPolicyErrorsSteps(policy, vocabulary, stored));
}

/** As {@link validatingPolicyErrors}, with pauses: it may have very many expressions and rules. */
export function* validatingPolicyErrorsSteps(
  { metadata, spec = {} }: ValidatingAdmissionPolicy,
  vocabulary: Vocabulary,
  stored?: ValidatingAdmissionPolicy,
): Steps<readonly FieldError[]> {
  const { validations, auditAnnotations } = spec;
  const excess = tooManyExpressions(expressionsOf(spec), 'spec.validations');
  if (excess) return [excess];
  const storedExpressions = new Set(stored ? expressionsOf(stored.spec ?? {}) : []);
  const isNew = (expression: string): boolean => !storedExpressions.has(expression);
  const expressions = new PolicyExpressions(spec, vocabulary, isNew);
  const isEmpty = (validations ?? []).length === 0 && (auditAnnotations ?? []).length === 0;
  return [
    ...(yield* commonPolicyErrorsSteps(spec, expressions, { vocabulary, isNew })),
    ...(isEmpty
      ? [
          FieldErrors.required('spec.validations', NEITHER),
          FieldErrors.required('spec.auditAnnotations', NEITHER),
        ]
      : []),
    ...(yield* fieldErrorsOfSteps(validations ?? [], (validation, index) =>
      validationErrors(validation, `spec.validations[${index}]`, expressions),
    )),
    ...auditAnnotationsErrors(auditAnnotations ?? [], metadata.name ?? '', expressions),
  ];
}

/** One after the other: a list of as many as a body may have would take long to make. */
function* expressionsOf(spec: ValidatingAdmissionPolicySpec): Iterable<string> {
  for (const { expression } of spec.matchConditions ?? []) yield expression;
  for (const { expression } of spec.variables ?? []) yield expression;
  for (const { expression, messageExpression = '' } of spec.validations ?? []) {
    yield expression;
    yield messageExpression;
  }
  for (const { valueExpression } of spec.auditAnnotations ?? []) yield trimSpace(valueExpression);
}

function validationErrors(
  { expression = '', message = '', messageExpression = '', reason }: Validation,
  path: string,
  expressions: PolicyExpressions,
): readonly FieldError[] {
  const isSpecified = trimSpace(messageExpression) !== '';
  const why = 'must be non-empty if specified';
  return [
    ...(trimSpace(expression) === ''
      ? [FieldErrors.required(`${path}.expression`, 'expression is not specified')]
      : compileErrors(expressions.validation(expression), `${path}.expression`)),
    ...(messageExpression !== '' && !isSpecified
      ? [FieldErrors.invalid(`${path}.messageExpression`, messageExpression, why)]
      : []),
    ...(isSpecified
      ? compileErrors(expressions.message(messageExpression), `${path}.messageExpression`)
      : []),
    ...messageErrors(message, `${path}.message`),
    ...choiceErrors(`${path}.reason`, reason ?? undefined, REASONS),
  ];
}

function messageErrors(message: string, path: string): readonly FieldError[] {
  if (message === '') return [];
  if (trimSpace(message) === '')
    return [FieldErrors.invalid(path, message, 'message must be non-empty if specified')];
  if (!/[\r\n]/.test(trimSpace(message))) return [];
  return [FieldErrors.invalid(path, message, 'message must not contain line breaks')];
}

function auditAnnotationsErrors(
  annotations: readonly AuditAnnotation[],
  policy: string,
  expressions: PolicyExpressions,
): readonly FieldError[] {
  const path = 'spec.auditAnnotations';
  const keys = new Set<string>();
  const errors = fieldErrorsOf(annotations, ({ key = '', valueExpression = '' }, index) => {
    const field = `${path}[${index}]`;
    const isDuplicate = keys.has(key);
    keys.add(key);
    const name = policy === '' ? key : `${policy}/${key}`;
    return [
      ...qualifiedNameErrors(name).map((why) => FieldErrors.invalid(`${field}.key`, name, why)),
      ...valueErrors(valueExpression, `${field}.valueExpression`, expressions),
      ...(isDuplicate ? [FieldErrors.duplicate(`${field}.key`, key)] : []),
    ];
  });
  if (annotations.length <= MAXIMUM_AUDIT_ANNOTATIONS) return errors;
  const many = `must not have more than ${MAXIMUM_AUDIT_ANNOTATIONS} auditAnnotations`;
  return [FieldErrors.invalid(path, annotations, many), ...errors];
}

function valueErrors(
  expression: string,
  path: string,
  expressions: PolicyExpressions,
): readonly FieldError[] {
  const text = trimSpace(expression);
  if (text === '') return [FieldErrors.required(path, 'valueExpression is not specified')];
  if (new TextEncoder().encode(text).length > MAXIMUM_VALUE_EXPRESSION_BYTES)
    return [FieldErrors.required(path, `must not exceed ${MAXIMUM_VALUE_EXPRESSION_BYTES} bytes in length`)];
  return compileErrors(expressions.auditAnnotation(text), path, expression);
}
