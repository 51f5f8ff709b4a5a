import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { atomic, int32, keyedBy, optional, printed, string, type } from '../../../types/schema-fields.ts';
import {
  among,
  bytes,
  embedded,
  listOf,
  ofItemsAmong,
  part,
  textOf,
  texts,
  textsOf,
  withDefault,
} from '../../shape-fields.ts';
import { FAILURE_POLICIES, MATCH_POLICIES, OPERATIONS } from '../shared/enumerations.ts';
import { labelSelector } from '../shared/label-selector.ts';

const SIDE_EFFECTS = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];

// Admission webhooks.

const rule = type('api.admissionregistration.v1.Rule', {
  apiGroups: texts(1, atomic),
  apiVersions: texts(2, atomic),
  resources: texts(3, atomic),
  scope: withDefault(optional(textOf(4, 'api.admissionregistration.v1.ScopeType')), '*'),
});

/** Schema of `RuleWithOperations`. */
export const ruleWithOperations: Schema = type('api.admissionregistration.v1.RuleWithOperations', {
  operations: ofItemsAmong(textsOf(1, 'api.admissionregistration.v1.OperationType', atomic), OPERATIONS),
  ...embedded(2, rule),
});

/** Schema of `MatchCondition`. */
export const matchCondition: Schema = type(
  'api.admissionregistration.v1.MatchCondition',
  {
    name: printed(string(1)),
    expression: printed(string(2)),
  },
  { required: ['name', 'expression'] },
);

const serviceReference = type(
  'api.admissionregistration.v1.ServiceReference',
  {
    namespace: printed(string(1)),
    name: printed(string(2)),
    path: optional(string(3)),
    port: withDefault(optional(int32(4)), 443),
  },
  { required: ['namespace', 'name'] },
);

const webhookClientConfig = type('api.admissionregistration.v1.WebhookClientConfig', {
  url: optional(string(3)),
  service: optional(part(1, serviceReference)),
  caBundle: bytes(2),
});

// what both kinds of webhooks have under the same tags
const failurePolicy = among(
  withDefault(optional(textOf(4, 'api.admissionregistration.v1.FailurePolicyType')), 'Fail'),
  FAILURE_POLICIES,
);
const matchPolicy = among(
  withDefault(optional(textOf(9, 'api.admissionregistration.v1.MatchPolicyType')), 'Equivalent'),
  MATCH_POLICIES,
);
const sideEffects = among(
  printed(optional(textOf(6, 'api.admissionregistration.v1.SideEffectClass'))),
  SIDE_EFFECTS,
);

const validatingWebhook = type(
  'api.admissionregistration.v1.ValidatingWebhook',
  {
    name: printed(string(1)),
    clientConfig: part(2, webhookClientConfig),
    rules: listOf(3, ruleWithOperations, atomic),
    failurePolicy,
    matchPolicy,
    namespaceSelector: withDefault(optional(part(5, labelSelector)), {}),
    objectSelector: withDefault(optional(part(10, labelSelector)), {}),
    sideEffects,
    timeoutSeconds: withDefault(optional(int32(7)), 10),
    admissionReviewVersions: printed(texts(8, atomic)),
    matchConditions: listOf(11, matchCondition, keyedBy('name')),
  },
  { required: ['name', 'clientConfig', 'sideEffects', 'admissionReviewVersions'] },
);

const mutatingWebhook = type(
  'api.admissionregistration.v1.MutatingWebhook',
  {
    name: printed(string(1)),
    clientConfig: part(2, webhookClientConfig),
    rules: listOf(3, ruleWithOperations, atomic),
    failurePolicy,
    matchPolicy,
    namespaceSelector: withDefault(optional(part(5, labelSelector)), {}),
    objectSelector: withDefault(optional(part(11, labelSelector)), {}),
    sideEffects,
    timeoutSeconds: withDefault(optional(int32(7)), 10),
    admissionReviewVersions: printed(texts(8, atomic)),
    reinvocationPolicy: among(
      withDefault(optional(textOf(10, 'api.admissionregistration.v1.ReinvocationPolicyType')), 'Never'),
      ['IfNeeded', 'Never'],
    ),
    matchConditions: listOf(12, matchCondition, keyedBy('name')),
  },
  { required: ['name', 'clientConfig', 'sideEffects', 'admissionReviewVersions'] },
);

/** Schema of `ValidatingWebhookConfiguration`. */
export const validatingWebhookConfigurationSchema: Schema = kindSchema(
  'api.admissionregistration.v1.ValidatingWebhookConfiguration',
  'Services that may refuse writes.',
  {
    webhooks: listOf(2, validatingWebhook, keyedBy('name')),
  },
);

/** Schema of `MutatingWebhookConfiguration`. */
export const mutatingWebhookConfigurationSchema: Schema = kindSchema(
  'api.admissionregistration.v1.MutatingWebhookConfiguration',
  'Services that may change writes.',
  {
    webhooks: listOf(2, mutatingWebhook, keyedBy('name')),
  },
);
