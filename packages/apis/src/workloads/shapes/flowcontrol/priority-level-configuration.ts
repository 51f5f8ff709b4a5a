import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { int32, keyedBy, optional, printed, string, time, type } from '../../../types/schema-fields.ts';
import { listOf, part, textOf, unionBy, withDefault } from '../../shape-fields.ts';

// Concurrency shares of flows.

const queuingConfiguration = type('api.flowcontrol.v1.QueuingConfiguration', {
  queues: withDefault(printed(int32(1)), 64),
  handSize: withDefault(printed(int32(2)), 8),
  queueLengthLimit: withDefault(printed(int32(3)), 50),
});

const limitResponse = type(
  'api.flowcontrol.v1.LimitResponse',
  {
    type: printed(textOf(1, 'api.flowcontrol.v1.LimitResponseType')),
    queuing: optional(part(2, queuingConfiguration)),
  },
  { required: ['type'], unions: [unionBy('type', { queuing: 'Queuing' })] },
);

const limitedPriorityLevelConfiguration = type('api.flowcontrol.v1.LimitedPriorityLevelConfiguration', {
  nominalConcurrencyShares: withDefault(printed(optional(int32(1))), 30),
  limitResponse: part(2, limitResponse),
  lendablePercent: withDefault(optional(int32(3)), 0),
  borrowingLimitPercent: optional(int32(4)),
});

const exemptPriorityLevelConfiguration = type('api.flowcontrol.v1.ExemptPriorityLevelConfiguration', {
  nominalConcurrencyShares: withDefault(optional(int32(1)), 0),
  lendablePercent: withDefault(optional(int32(2)), 0),
});

const priorityLevelConfigurationSpec = type(
  'api.flowcontrol.v1.PriorityLevelConfigurationSpec',
  {
    type: printed(textOf(1, 'api.flowcontrol.v1.PriorityLevelEnablement')),
    limited: optional(part(2, limitedPriorityLevelConfiguration)),
    exempt: optional(part(3, exemptPriorityLevelConfiguration)),
  },
  { required: ['type'], unions: [unionBy('type', { exempt: 'Exempt', limited: 'Limited' })] },
);

const priorityLevelConfigurationCondition = type('api.flowcontrol.v1.PriorityLevelConfigurationCondition', {
  type: textOf(1, 'api.flowcontrol.v1.PriorityLevelConfigurationConditionType'),
  status: textOf(2, 'api.flowcontrol.v1.ConditionStatus'),
  lastTransitionTime: time(3),
  reason: string(4),
  message: string(5),
});

const priorityLevelConfigurationStatus = type('api.flowcontrol.v1.PriorityLevelConfigurationStatus', {
  conditions: listOf(1, priorityLevelConfigurationCondition, keyedBy('type')),
});

/** Schema of `PriorityLevelConfiguration`. */
export const priorityLevelConfigurationSchema: Schema = kindSchema(
  'api.flowcontrol.v1.PriorityLevelConfiguration',
  'How many requests of a priority run at a time.',
  {
    spec: part(2, priorityLevelConfigurationSpec),
    status: part(3, priorityLevelConfigurationStatus),
  },
);
