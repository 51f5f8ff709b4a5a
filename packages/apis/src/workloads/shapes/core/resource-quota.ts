import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { atomic, optional, printed, type } from '../../../types/schema-fields.ts';
import { among, listOf, ofItemsAmong, part, quantities, textOf, texts, textsOf } from '../../shape-fields.ts';

const QUOTA_SCOPES = [
  'BestEffort',
  'CrossNamespacePodAffinity',
  'NotBestEffort',
  'NotTerminating',
  'PriorityClass',
  'Terminating',
];

// Quotas.

const scopedResourceSelectorRequirement = type(
  'api.core.v1.ScopedResourceSelectorRequirement',
  {
    scopeName: among(printed(textOf(1, 'api.core.v1.ResourceQuotaScope')), QUOTA_SCOPES),
    operator: among(printed(textOf(2, 'api.core.v1.ScopeSelectorOperator')), [
      'DoesNotExist',
      'Exists',
      'In',
      'NotIn',
    ]),
    values: texts(3, atomic),
  },
  { required: ['scopeName', 'operator'] },
);

const scopeSelector = type(
  'api.core.v1.ScopeSelector',
  {
    matchExpressions: listOf(1, scopedResourceSelectorRequirement, atomic),
  },
  { mapType: 'atomic' },
);

const resourceQuotaSpec = type('api.core.v1.ResourceQuotaSpec', {
  hard: quantities(1),
  scopes: ofItemsAmong(textsOf(2, 'api.core.v1.ResourceQuotaScope', atomic), QUOTA_SCOPES),
  scopeSelector: optional(part(3, scopeSelector)),
});

const resourceQuotaStatus = type('api.core.v1.ResourceQuotaStatus', {
  hard: quantities(1),
  used: quantities(2),
});

/** Schema of `ResourceQuota`. */
export const resourceQuotaSchema: Schema = kindSchema(
  'api.core.v1.ResourceQuota',
  'How much a namespace may use.',
  {
    spec: part(2, resourceQuotaSpec),
    status: part(3, resourceQuotaStatus),
  },
);
