import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { atomic, optional, printed, string, type } from '../../../types/schema-fields.ts';
import { listOf, part, texts } from '../../shape-fields.ts';
import { labelSelector } from '../shared/label-selector.ts';

// Permissions and their subjects.

const policyRule = type(
  'api.rbac.v1.PolicyRule',
  {
    verbs: printed(texts(1, atomic)),
    apiGroups: texts(2, atomic),
    resources: texts(3, atomic),
    resourceNames: texts(4, atomic),
    nonResourceURLs: texts(5, atomic),
  },
  { required: ['verbs'] },
);

const aggregationRule = type('api.rbac.v1.AggregationRule', {
  clusterRoleSelectors: listOf(1, labelSelector, atomic),
});

const roleRef = type(
  'api.rbac.v1.RoleRef',
  {
    apiGroup: printed(string(1)),
    kind: printed(string(2)),
    name: printed(string(3)),
  },
  { required: ['apiGroup', 'kind', 'name'], mapType: 'atomic' },
);

const subject = type(
  'api.rbac.v1.Subject',
  {
    kind: printed(string(1)),
    apiGroup: string(2),
    name: printed(string(3)),
    namespace: string(4),
  },
  { required: ['kind', 'name'], mapType: 'atomic' },
);

/** Schema of `Role`. */
export const roleSchema: Schema = kindSchema('api.rbac.v1.Role', 'Rights within a namespace.', {
  rules: printed(listOf(2, policyRule, atomic)),
});

/** Schema of `ClusterRole`. */
export const clusterRoleSchema: Schema = kindSchema(
  'api.rbac.v1.ClusterRole',
  'Rights in the whole cluster.',
  {
    rules: printed(listOf(2, policyRule, atomic)),
    aggregationRule: optional(part(3, aggregationRule)),
  },
);

/** Schema of `RoleBinding`. */
export const roleBindingSchema: Schema = kindSchema(
  'api.rbac.v1.RoleBinding',
  'Gives the rights of a role to somebody within a namespace.',
  {
    subjects: listOf(2, subject, atomic),
    roleRef: part(3, roleRef),
  },
  { required: ['roleRef'] },
);

/** Schema of `ClusterRoleBinding`. */
export const clusterRoleBindingSchema: Schema = kindSchema(
  'api.rbac.v1.ClusterRoleBinding',
  'Gives the rights of a role to somebody.',
  {
    subjects: listOf(2, subject, atomic),
    roleRef: part(3, roleRef),
  },
  { required: ['roleRef'] },
);
