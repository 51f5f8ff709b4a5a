import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { atomic, int64, keyedBy, optional, printed, string, type } from '../../../types/schema-fields.ts';
import {
  among,
  listOf,
  ofItemsAmong,
  ownedBy,
  ownedSet,
  part,
  textOf,
  textsOf,
  withDefault,
} from '../../shape-fields.ts';
import { condition } from '../shared/condition.ts';
import { FAILURE_POLICIES } from '../shared/enumerations.ts';
import { policyShapes } from './policy-shapes.ts';
import { matchCondition } from './webhook-configurations.ts';

// Admission policies.

const { matchResources, paramKind, paramRef, variable } = policyShapes('v1');

const validation = type(
  'api.admissionregistration.v1.Validation',
  {
    expression: printed(string(1)),
    message: string(2),
    reason: optional(textOf(3, 'apimachinery.pkg.apis.meta.v1.StatusReason')),
    messageExpression: string(4),
  },
  { required: ['expression'] },
);

const auditAnnotation = type(
  'api.admissionregistration.v1.AuditAnnotation',
  {
    key: printed(string(1)),
    valueExpression: printed(string(2)),
  },
  { required: ['key', 'valueExpression'] },
);

const expressionWarning = type(
  'api.admissionregistration.v1.ExpressionWarning',
  {
    fieldRef: printed(string(2)),
    warning: printed(string(3)),
  },
  { required: ['fieldRef', 'warning'] },
);

const typeChecking = type('api.admissionregistration.v1.TypeChecking', {
  expressionWarnings: listOf(1, expressionWarning, atomic),
});

const validatingAdmissionPolicySpec = type('api.admissionregistration.v1.ValidatingAdmissionPolicySpec', {
  paramKind: optional(part(1, paramKind)),
  matchConstraints: optional(part(2, matchResources)),
  validations: listOf(3, validation, atomic),
  failurePolicy: among(
    withDefault(optional(textOf(4, 'api.admissionregistration.v1.FailurePolicyType')), 'Fail'),
    FAILURE_POLICIES,
  ),
  auditAnnotations: listOf(5, auditAnnotation, atomic),
  matchConditions: listOf(6, matchCondition, keyedBy('name')),
  variables: listOf(7, variable, keyedBy('name')),
});

const validatingAdmissionPolicyStatus = type('api.admissionregistration.v1.ValidatingAdmissionPolicyStatus', {
  observedGeneration: int64(1),
  typeChecking: optional(part(2, typeChecking)),
  conditions: listOf(3, condition, ownedBy('type')),
});

const validatingAdmissionPolicyBindingSpec = type(
  'api.admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec',
  {
    policyName: string(1),
    paramRef: optional(part(2, paramRef)),
    matchResources: optional(part(3, matchResources)),
    validationActions: ofItemsAmong(textsOf(4, 'api.admissionregistration.v1.ValidationAction', ownedSet), [
      'Audit',
      'Deny',
      'Warn',
    ]),
  },
);

/** Schema of `ValidatingAdmissionPolicy`. */
export const validatingAdmissionPolicySchema: Schema = kindSchema(
  'api.admissionregistration.v1.ValidatingAdmissionPolicy',
  'Expressions that may refuse writes.',
  {
    spec: part(2, validatingAdmissionPolicySpec),
    status: part(3, validatingAdmissionPolicyStatus),
  },
);

/** Schema of `ValidatingAdmissionPolicyBinding`. */
export const validatingAdmissionPolicyBindingSchema: Schema = kindSchema(
  'api.admissionregistration.v1.ValidatingAdmissionPolicyBinding',
  'Where a policy holds, and with which parameters.',
  {
    spec: part(2, validatingAdmissionPolicyBindingSpec),
  },
);
