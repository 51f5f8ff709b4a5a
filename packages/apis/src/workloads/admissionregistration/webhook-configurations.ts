import { type WebhookConfiguration, webhookConfigurationErrorsSteps } from '@ashlar/admission';
import { groupName, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { inheritedWebhookFaults } from '../inherited/inherited-webhook-faults.ts';
import {
  mutatingWebhookConfigurationSchema,
  validatingWebhookConfigurationSchema,
} from '../shapes/admissionregistration/webhook-configurations.ts';
import { type WorkloadType, workloadType } from '../workload-type.ts';

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
          ({ webhooks }: WebhookConfiguration) => webhooks?.length ?? 0,
        ),
        type: 'integer',
      },
      ageColumn,
    ],
    counted: ({ webhooks }: WebhookConfiguration) => webhooks,
    inherits: inheritedWebhookFaults,
    strategy: {
      updateChecks: ['metadata'],
      qualifiedFinalizers: false,
      allowsUnconditionalUpdate: false,
      validateSteps: (object) => webhookConfigurationErrorsSteps(object as WebhookConfiguration, vocabulary),
      validateUpdateSteps: (object) =>
        webhookConfigurationErrorsSteps(object as WebhookConfiguration, vocabulary),
    },
  });
}

/**
 * Configurations of webhooks that may change writes (semantics/admission#webhook-configuration,
 * semantics/tables#built-in-columns).
 */
export function mutatingWebhookConfigurations(vocabulary: Vocabulary): ResourceDefinition {
  return configurationType(vocabulary, {
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    schema: mutatingWebhookConfigurationSchema,
  });
}

/** Configurations of webhooks that may reject writes. */
export function validatingWebhookConfigurations(vocabulary: Vocabulary): ResourceDefinition {
  return configurationType(vocabulary, {
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    schema: validatingWebhookConfigurationSchema,
  });
}
