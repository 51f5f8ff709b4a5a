import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import {
  atomic,
  boolean,
  int32,
  keyedBy,
  optional,
  printed,
  string,
  time,
  type,
} from '../../../types/schema-fields.ts';
import { listOf, ownedSet, part, textOf, texts, unionBy, withDefault } from '../../shape-fields.ts';

// Classification of requests into flows.

const userSubject = type(
  'api.flowcontrol.v1.UserSubject',
  {
    name: printed(string(1)),
  },
  { required: ['name'] },
);

const groupSubject = type(
  'api.flowcontrol.v1.GroupSubject',
  {
    name: printed(string(1)),
  },
  { required: ['name'] },
);

const serviceAccountSubject = type(
  'api.flowcontrol.v1.ServiceAccountSubject',
  {
    namespace: printed(string(1)),
    name: printed(string(2)),
  },
  { required: ['namespace', 'name'] },
);

const subject = type(
  'api.flowcontrol.v1.Subject',
  {
    kind: printed(textOf(1, 'api.flowcontrol.v1.SubjectKind')),
    user: optional(part(2, userSubject)),
    group: optional(part(3, groupSubject)),
    serviceAccount: optional(part(4, serviceAccountSubject)),
  },
  {
    required: ['kind'],
    unions: [unionBy('kind', { group: 'Group', serviceAccount: 'ServiceAccount', user: 'User' })],
  },
);

const resourcePolicyRule = type(
  'api.flowcontrol.v1.ResourcePolicyRule',
  {
    verbs: printed(texts(1, ownedSet)),
    apiGroups: printed(texts(2, ownedSet)),
    resources: printed(texts(3, ownedSet)),
    clusterScope: boolean(4),
    namespaces: printed(texts(5, ownedSet)),
  },
  { required: ['verbs', 'apiGroups', 'resources'] },
);

const nonResourcePolicyRule = type(
  'api.flowcontrol.v1.NonResourcePolicyRule',
  {
    verbs: printed(texts(1, ownedSet)),
    nonResourceURLs: printed(texts(6, ownedSet)),
  },
  { required: ['verbs', 'nonResourceURLs'] },
);

const policyRulesWithSubjects = type(
  'api.flowcontrol.v1.PolicyRulesWithSubjects',
  {
    subjects: printed(listOf(1, subject, atomic)),
    resourceRules: listOf(2, resourcePolicyRule, atomic),
    nonResourceRules: listOf(3, nonResourcePolicyRule, atomic),
  },
  { required: ['subjects'] },
);

const priorityLevelConfigurationReference = type(
  'api.flowcontrol.v1.PriorityLevelConfigurationReference',
  {
    name: printed(string(1)),
  },
  { required: ['name'] },
);

const flowDistinguisherMethod = type(
  'api.flowcontrol.v1.FlowDistinguisherMethod',
  {
    type: printed(textOf(1, 'api.flowcontrol.v1.FlowDistinguisherMethodType')),
  },
  { required: ['type'] },
);

const flowSchemaSpec = type(
  'api.flowcontrol.v1.FlowSchemaSpec',
  {
    priorityLevelConfiguration: part(1, priorityLevelConfigurationReference),
    matchingPrecedence: withDefault(printed(int32(2)), 1000),
    distinguisherMethod: optional(part(3, flowDistinguisherMethod)),
    rules: listOf(4, policyRulesWithSubjects, atomic),
  },
  { required: ['priorityLevelConfiguration'] },
);

const flowSchemaCondition = type('api.flowcontrol.v1.FlowSchemaCondition', {
  type: textOf(1, 'api.flowcontrol.v1.FlowSchemaConditionType'),
  status: textOf(2, 'api.flowcontrol.v1.ConditionStatus'),
  lastTransitionTime: time(3),
  reason: string(4),
  message: string(5),
});

const flowSchemaStatus = type('api.flowcontrol.v1.FlowSchemaStatus', {
  conditions: listOf(1, flowSchemaCondition, keyedBy('type')),
});

/** Schema of `FlowSchema`. */
export const flowSchemaSchema: Schema = kindSchema(
  'api.flowcontrol.v1.FlowSchema',
  'Sorts requests into flows.',
  {
    spec: part(2, flowSchemaSpec),
    status: part(3, flowSchemaStatus),
  },
);
