import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { int32, int64, keyedBy, optional, printed, stringMap, type } from '../../../types/schema-fields.ts';
import { listOf, part, withDefault } from '../../shape-fields.ts';
import { kindCondition } from '../shared/kind-condition.ts';
import { podTemplateSpec } from './pod-spec.ts';

// Replication controllers.

const replicationControllerSpec = type('api.core.v1.ReplicationControllerSpec', {
  replicas: withDefault(optional(int32(1)), 1),
  minReadySeconds: int32(4),
  selector: { ...stringMap(2), mapType: 'atomic' },
  template: optional(part(3, podTemplateSpec)),
});

const replicationControllerCondition = kindCondition('api.core.v1.ReplicationControllerCondition');

const replicationControllerStatus = type(
  'api.core.v1.ReplicationControllerStatus',
  {
    replicas: printed(int32(1)),
    fullyLabeledReplicas: int32(2),
    readyReplicas: int32(4),
    availableReplicas: int32(5),
    observedGeneration: int64(3),
    conditions: listOf(6, replicationControllerCondition, keyedBy('type')),
  },
  { required: ['replicas'] },
);

/** Schema of `ReplicationController`. */
export const replicationControllerSchema: Schema = kindSchema(
  'api.core.v1.ReplicationController',
  'Keeps a number of equal pods running.',
  {
    spec: part(2, replicationControllerSpec),
    status: part(3, replicationControllerStatus),
  },
);
