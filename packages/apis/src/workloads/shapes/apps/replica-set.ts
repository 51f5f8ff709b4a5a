import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { int32, int64, keyedBy, optional, printed, type } from '../../../types/schema-fields.ts';
import { listOf, part, withDefault } from '../../shape-fields.ts';
import { podTemplateSpec } from '../core/pod-spec.ts';
import { kindCondition } from '../shared/kind-condition.ts';
import { labelSelector } from '../shared/label-selector.ts';

// Replica sets.

const replicaSetSpec = type(
  'api.apps.v1.ReplicaSetSpec',
  {
    replicas: withDefault(optional(int32(1)), 1),
    minReadySeconds: int32(4),
    selector: printed(optional(part(2, labelSelector))),
    template: part(3, podTemplateSpec),
  },
  { required: ['selector'] },
);

const replicaSetCondition = kindCondition('api.apps.v1.ReplicaSetCondition');

const replicaSetStatus = type(
  'api.apps.v1.ReplicaSetStatus',
  {
    replicas: printed(int32(1)),
    fullyLabeledReplicas: int32(2),
    readyReplicas: int32(4),
    availableReplicas: int32(5),
    observedGeneration: int64(3),
    conditions: listOf(6, replicaSetCondition, keyedBy('type')),
  },
  { required: ['replicas'] },
);

/** Schema of `ReplicaSet`. */
export const replicaSetSchema: Schema = kindSchema('api.apps.v1.ReplicaSet', 'A number of equal pods.', {
  spec: part(2, replicaSetSpec),
  status: part(3, replicaSetStatus),
});
