import { isKeyword } from '@ashlar/cel';
import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  parseApiVersion,
  qualifiedNameErrors,
  type Vocabulary,
} from '@ashlar/core';
import type { AdmissionExpression } from '../expressions/admission-expression.ts';
import { matchConditionErrors } from '../expressions/match-conditions.ts';
import { choiceErrors, matchResourcesErrors } from './match-resources-errors.ts';
import { PolicyExpressions } from './policy-expressions.ts';
import type {
  AuditAnnotation,
  ParamKind,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
  Validation,
  Variable,
} from './policy-objects.ts';

const FAILURE_POLICIES = ['Fail', 'Ignore'];
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const MAXIMUM_AUDIT_ANNOTATIONS = 20;
const MAXIMUM_VALUE_EXPRESSION_BYTES = 5 * 1024;
const NEITHER = 'validations or auditAnnotations must contain at least one item';

/**
 * Returns the errors of a policy (semantics/admission#validatingadmissionpolicy).
 * @param stored the policy before the change: its expressions stay valid
 */
export function validatingPolicyErrors(
  { metadata, spec = {} }: ValidatingAdmissionPolicy,
  vocabulary: Vocabulary,
  stored?: ValidatingAdmissionPolicy,
): readonly FieldError[] {
  const { paramKind, matchConstraints, validations, auditAnnotations, variables } = spec;
  const known = new Set(stored ? expressionsOf(stored.spec ?? {}) : []);
  const isNew = (expression: string): boolean => !known.has(expression);
  const expressions = new PolicyExpressions(spec, vocabulary, isNew);
  const isEmpty = (validations ?? []).length === 0 && (auditAnnotations ?? []).length === 0;
  return [
    ...choiceErrors(spec.failurePolicy ?? 'Fail', FAILURE_POLICIES, 'spec.failurePolicy'),
    ...(paramKind ? paramKindErrors(paramKind, 'spec.paramKind') : []),
    ...matchConstraintsErrors(matchConstraints),
    ...matchConditionErrors(spec.matchConditions ?? [], 'spec.matchConditions', {
      ...{ vocabulary, params: Boolean(paramKind), isNew },
    }),
    ...variablesErrors(variables ?? [], expressions),
    ...(isEmpty
      ? [
          FieldErrors.required('spec.validations', NEITHER),
          FieldErrors.required('spec.auditAnnotations', NEITHER),
        ]
      : []),
    ...fieldErrorsOf(validations ?? [], (validation, index) =>
      validationErrors(validation, `spec.validations[${index}]`, expressions),
    ),
    ...auditAnnotationsErrors(auditAnnotations ?? [], metadata.name ?? '', expressions),
  ];
}

function expressionsOf(spec: ValidatingAdmissionPolicySpec): string[] {
  return [
    ...(spec.matchConditions ?? []).map(({ expression }) => expression),
    ...(spec.variables ?? []).map(({ expression }) => expression),
    ...(spec.validations ?? []).flatMap(({ expression, messageExpression = '' }) => [
      expression,
      messageExpression,
    ]),
    ...(spec.auditAnnotations ?? []).map(({ valueExpression }) => valueExpression.trim()),
  ];
}

/** Returns the errors of what a policy matches. */
function matchConstraintsErrors(
  constraints: ValidatingAdmissionPolicySpec['matchConstraints'],
): readonly FieldError[] {
  const path = 'spec.matchConstraints';
  if (!constraints) return [FieldErrors.required(path)];
  const isEmpty = (constraints.resourceRules ?? []).length === 0;
  return [
    ...matchResourcesErrors(constraints, path),
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
): readonly FieldError[] {
  return fieldErrorsOf(variables, (variable, index) => {
    const path = `spec.variables[${index}]`;
    const { name = '', expression = '' } = variable;
    return [
      ...nameErrors(name, `${path}.name`),
      ...(expression.trim() === ''
        ? [FieldErrors.required(`${path}.expression`, 'expression is not specified')]
        : compileErrors(expressions.variable(variable), `${path}.expression`)),
    ];
  });
}

const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;

function nameErrors(name: string, path: string): readonly FieldError[] {
  if (name.trim() === '') return [FieldErrors.required(path, 'name is not specified')];
  if (IDENTIFIER.test(name) && !isKeyword(name)) return [];
  return [FieldErrors.invalid(path, name, 'name is not a valid CEL identifier')];
}

/** Returns the error of an expression that cannot be compiled. */
const compileErrors = (
  { text, error }: AdmissionExpression,
  path: string,
  shown: string = text,
): readonly FieldError[] => (error === '' ? [] : [FieldErrors.invalid(path, shown, error)]);

function validationErrors(
  { expression = '', message = '', messageExpression = '', reason }: Validation,
  path: string,
  expressions: PolicyExpressions,
): readonly FieldError[] {
  const isSpecified = messageExpression.trim() !== '';
  const why = 'must be non-empty if specified';
  return [
    ...(expression.trim() === ''
      ? [FieldErrors.required(`${path}.expression`, 'expression is not specified')]
      : compileErrors(expressions.validation(expression), `${path}.expression`)),
    ...(messageExpression !== '' && !isSpecified
      ? [FieldErrors.invalid(`${path}.messageExpression`, messageExpression, why)]
      : []),
    ...(isSpecified
      ? compileErrors(expressions.message(messageExpression), `${path}.messageExpression`)
      : []),
    ...messageErrors(message, `${path}.message`),
    ...(reason === undefined || reason === null ? [] : choiceErrors(reason, REASONS, `${path}.reason`)),
  ];
}

function messageErrors(message: string, path: string): readonly FieldError[] {
  if (message === '') return [];
  if (message.trim() === '')
    return [FieldErrors.invalid(path, message, 'message must be non-empty if specified')];
  if (!/[\r\n]/.test(message.trim())) return [];
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
  const text = expression.trim();
  if (text === '') return [FieldErrors.required(path, 'valueExpression is not specified')];
  if (new TextEncoder().encode(text).length > MAXIMUM_VALUE_EXPRESSION_BYTES)
    return [FieldErrors.required(path, `must not exceed ${MAXIMUM_VALUE_EXPRESSION_BYTES} bytes in length`)];
  return compileErrors(expressions.auditAnnotation(text), path, expression);
}
