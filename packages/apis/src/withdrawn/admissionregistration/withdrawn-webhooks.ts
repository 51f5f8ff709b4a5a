import type { WebhookConfiguration } from '@ashlar/admission';
import { type ApiObject, choiceErrors, type FieldError, type Schema, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '../../workloads/admissionregistration/webhook-configurations.ts';
import { compileDefaults } from '../../workloads/defaults/schema-defaults.ts';
import {
  mutatingWebhookConfigurationSchema,
  validatingWebhookConfigurationSchema,
} from '../../workloads/shapes/admissionregistration/webhook-configurations.ts';
import { type FieldChanges, revisedSchema, withDefaults } from '../revised-schema.ts';
import {
  newObjectErrors,
  relabelled,
  type WithdrawnVersion,
  withdrawnVersion,
} from '../withdrawn-version.ts';

/** Configurations of webhooks before v1. */
export function withdrawnWebhooks(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  return [
    withdrawnConfiguration(mutatingWebhookConfigurations(vocabulary), mutatingWebhookConfigurationSchema),
    withdrawnConfiguration(validatingWebhookConfigurations(vocabulary), validatingWebhookConfigurationSchema),
  ];
}

const DEFAULTS = withDefaults({
  failurePolicy: 'Ignore',
  matchPolicy: 'Exact',
  sideEffects: 'Unknown',
  timeoutSeconds: 30,
  admissionReviewVersions: ['v1beta1'],
});

const CHANGES: FieldChanges = {
  'api.admissionregistration.v1.MutatingWebhook': DEFAULTS,
  'api.admissionregistration.v1.ValidatingWebhook': DEFAULTS,
};

function withdrawnConfiguration(current: ResourceDefinition, schema: Schema): WithdrawnVersion {
  return withdrawnVersion(
    current,
    { version: 'v1beta1' },
    {
      schema: revisedSchema(schema, CHANGES, [
        'api.admissionregistration.v1.',
        'api.admissionregistration.v1beta1.',
      ]),
      complete: compileDefaults(revisedSchema(schema, CHANGES)).complete,
      createErrors: (object) => createErrors(current, object),
    },
  );
}

const SIDE_EFFECTS = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];

/** Webhooks may have any side effects, and need no names of their own. */
function createErrors(current: ResourceDefinition, object: ApiObject): readonly FieldError[] {
  const webhooks = (object as WebhookConfiguration).webhooks ?? [];
  const harmless = webhooks.map((webhook) => ({ ...webhook, sideEffects: 'None' }));
  const errors = newObjectErrors(
    current,
    relabelled(`${current.group}/v1`)({ ...object, webhooks: harmless } as ApiObject),
  );
  const unknown = webhooks.flatMap(({ sideEffects }, index) =>
    choiceErrors(`webhooks[${index}].sideEffects`, sideEffects, SIDE_EFFECTS),
  );
  return [...errors.filter(({ reason, field }) => !isRepeatedName(reason, field)), ...unknown];
}

const isRepeatedName = (reason: string, field: string): boolean =>
  reason === 'FieldValueDuplicate' && /^webhooks\[\d+\]\.name$/.test(field);
