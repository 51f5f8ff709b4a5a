import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { atomic, keyedBy, optional, printed, string, type } from '../../../types/schema-fields.ts';
import { listOf, part, textOf, withDefault } from '../../shape-fields.ts';
import { policyShapes } from './policy-shapes.ts';
import { matchCondition } from './webhook-configurations.ts';

// Mutating admission policies.

const { matchResources, paramKind, paramRef, variable } = policyShapes('v1alpha1');

const applyConfiguration = type('api.admissionregistration.v1alpha1.ApplyConfiguration', {
  expression: string(1),
});

const jsonPatch = type('api.admissionregistration.v1alpha1.JSONPatch', {
  expression: string(1),
});

const mutation = type(
  'api.admissionregistration.v1alpha1.Mutation',
  {
    patchType: printed(textOf(2, 'api.admissionregistration.v1alpha1.PatchType')),
    applyConfiguration: optional(part(3, applyConfiguration)),
    jsonPatch: optional(part(4, jsonPatch)),
  },
  { required: ['patchType'] },
);

const mutatingAdmissionPolicySpec = type('api.admissionregistration.v1alpha1.MutatingAdmissionPolicySpec', {
  paramKind: optional(part(1, paramKind)),
  matchConstraints: optional(part(2, matchResources)),
  variables: listOf(3, variable, atomic),
  mutations: listOf(4, mutation, atomic),
  failurePolicy: withDefault(
    optional(textOf(5, 'api.admissionregistration.v1alpha1.FailurePolicyType')),
    'Fail',
  ),
  matchConditions: listOf(6, matchCondition, keyedBy('name')),
  reinvocationPolicy: string(7),
});

const mutatingAdmissionPolicyBindingSpec = type(
  'api.admissionregistration.v1alpha1.MutatingAdmissionPolicyBindingSpec',
  {
    policyName: string(1),
    paramRef: optional(part(2, paramRef)),
    matchResources: optional(part(3, matchResources)),
  },
);

/** Schema of `MutatingAdmissionPolicy`. */
export const mutatingAdmissionPolicySchema: Schema = kindSchema(
  'api.admissionregistration.v1alpha1.MutatingAdmissionPolicy',
  'Expressions that change writes.',
  {
    spec: part(2, mutatingAdmissionPolicySpec),
  },
);

/** Schema of `MutatingAdmissionPolicyBinding`. */
export const mutatingAdmissionPolicyBindingSchema: Schema = kindSchema(
  'api.admissionregistration.v1alpha1.MutatingAdmissionPolicyBinding',
  'Where a mutating policy holds, and with which parameters.',
  {
    spec: part(2, mutatingAdmissionPolicyBindingSpec),
  },
);
