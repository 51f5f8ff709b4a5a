import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { int32, int64, keyedBy, optional, printed, type } from '../../../types/schema-fields.ts';
import { among, intOrString, listOf, part, textOf, times } from '../../shape-fields.ts';
import { condition } from '../shared/condition.ts';
import { labelSelector } from '../shared/label-selector.ts';

// How many pods may be missing at a time.

const podDisruptionBudgetSpec = type('api.policy.v1.PodDisruptionBudgetSpec', {
  minAvailable: optional(intOrString(1)),
  selector: optional({ ...part(2, labelSelector), patchStrategy: 'replace' }),
  maxUnavailable: optional(intOrString(3)),
  unhealthyPodEvictionPolicy: among(optional(textOf(4, 'api.policy.v1.UnhealthyPodEvictionPolicyType')), [
    'AlwaysAllow',
    'IfHealthyBudget',
  ]),
});

const podDisruptionBudgetStatus = type(
  'api.policy.v1.PodDisruptionBudgetStatus',
  {
    observedGeneration: int64(1),
    disruptedPods: times(2),
    disruptionsAllowed: printed(int32(3)),
    currentHealthy: printed(int32(4)),
    desiredHealthy: printed(int32(5)),
    expectedPods: printed(int32(6)),
    conditions: listOf(7, condition, keyedBy('type')),
  },
  { required: ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] },
);

/** Schema of `PodDisruptionBudget`. */
export const podDisruptionBudgetSchema: Schema = kindSchema(
  'api.policy.v1.PodDisruptionBudget',
  'How many of the selected pods may leave at a time.',
  {
    spec: part(2, podDisruptionBudgetSpec),
    status: part(3, podDisruptionBudgetStatus),
  },
);
