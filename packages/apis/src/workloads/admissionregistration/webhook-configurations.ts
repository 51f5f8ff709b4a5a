import { type ApiObject, groupName, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import {
  mutatingWebhookConfigurationSchema,
  validatingWebhookConfigurationSchema,
} from '../shapes/admissionregistration/webhook-configurations.ts';
import { type WorkloadType, workloadType } from '../workload-type.ts';

/** Webhooks that are called for writes. */
interface WebhookConfiguration extends ApiObject {
  readonly webhooks?: readonly object[];
}

function configurationType(
  vocabulary: Vocabulary,
  type: Pick<WorkloadType, 'kind' | 'plural' | 'schema'>,
): ResourceDefinition {
  return workloadType({
    ...type,
    group: groupName(vocabulary, 'admissionregistration.'),
    categories: ['api-extensions'],
    scope: 'Cluster',
    columns: [
      nameColumn,
      {
        ...column(
          'Webhooks',
          'How many they are.',
          ({ webhooks = [] }: WebhookConfiguration) => webhooks.length,
        ),
        type: 'integer',
      },
      ageColumn,
    ],
    counted: ({ webhooks }: WebhookConfiguration) => webhooks,
    strategy: { allowsUnconditionalUpdate: false },
  });
}

/**
 * Configurations of webhooks that may change writes, stored only (semantics/verbs#kinds,
 * semantics/tables#built-in-columns).
 */
export function mutatingWebhookConfigurations(vocabulary: Vocabulary): ResourceDefinition {
  return configurationType(vocabulary, {
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    schema: mutatingWebhookConfigurationSchema,
  });
}

/** Configurations of webhooks that may reject writes, stored only. */
export function validatingWebhookConfigurations(vocabulary: Vocabulary): ResourceDefinition {
  return configurationType(vocabulary, {
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    schema: validatingWebhookConfigurationSchema,
  });
}
