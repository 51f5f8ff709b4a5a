import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import {
  atomic,
  int32,
  int64,
  keyedBy,
  optional,
  printed,
  string,
  type,
} from '../../../types/schema-fields.ts';
import { among, intOrString, listOf, part, textOf, withDefault } from '../../shape-fields.ts';
import { persistentVolumeClaimSchema } from '../core/persistent-volume-claim.ts';
import { podTemplateSpec } from '../core/pod-spec.ts';
import { UPDATE_STRATEGIES } from '../shared/enumerations.ts';
import { kindCondition } from '../shared/kind-condition.ts';
import { labelSelector } from '../shared/label-selector.ts';

// Stateful sets.

const rollingUpdateStatefulSetStrategy = type('api.apps.v1.RollingUpdateStatefulSetStrategy', {
  partition: withDefault(optional(int32(1)), 0),
  maxUnavailable: optional(intOrString(2)),
});

const statefulSetUpdateStrategy = type('api.apps.v1.StatefulSetUpdateStrategy', {
  type: among(textOf(1, 'api.apps.v1.StatefulSetUpdateStrategyType'), UPDATE_STRATEGIES),
  rollingUpdate: optional(part(2, rollingUpdateStatefulSetStrategy)),
});

const statefulSetPersistentVolumeClaimRetentionPolicy = type(
  'api.apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy',
  {
    whenDeleted: withDefault(textOf(1, 'api.apps.v1.PersistentVolumeClaimRetentionPolicyType'), 'Retain'),
    whenScaled: withDefault(textOf(2, 'api.apps.v1.PersistentVolumeClaimRetentionPolicyType'), 'Retain'),
  },
);

const statefulSetOrdinals = type('api.apps.v1.StatefulSetOrdinals', {
  start: printed(int32(1)),
});

const statefulSetSpec = type(
  'api.apps.v1.StatefulSetSpec',
  {
    replicas: withDefault(optional(int32(1)), 1),
    selector: printed(optional(part(2, labelSelector))),
    template: part(3, podTemplateSpec),
    volumeClaimTemplates: listOf(4, persistentVolumeClaimSchema, atomic),
    serviceName: printed(string(5)),
    podManagementPolicy: among(
      withDefault(textOf(6, 'api.apps.v1.PodManagementPolicyType'), 'OrderedReady'),
      ['OrderedReady', 'Parallel'],
    ),
    updateStrategy: part(7, statefulSetUpdateStrategy),
    revisionHistoryLimit: withDefault(optional(int32(8)), 10),
    minReadySeconds: int32(9),
    persistentVolumeClaimRetentionPolicy: withDefault(
      optional(part(10, statefulSetPersistentVolumeClaimRetentionPolicy)),
      {},
    ),
    ordinals: optional(part(11, statefulSetOrdinals)),
  },
  { required: ['selector', 'template', 'serviceName'] },
);

const statefulSetCondition = kindCondition('api.apps.v1.StatefulSetCondition');

const statefulSetStatus = type(
  'api.apps.v1.StatefulSetStatus',
  {
    observedGeneration: int64(1),
    replicas: printed(int32(2)),
    readyReplicas: int32(3),
    currentReplicas: int32(4),
    updatedReplicas: int32(5),
    currentRevision: string(6),
    updateRevision: string(7),
    collisionCount: optional(int32(9)),
    conditions: listOf(10, statefulSetCondition, keyedBy('type')),
    availableReplicas: printed(int32(11)),
  },
  { required: ['replicas'] },
);

/** Schema of `StatefulSet`. */
export const statefulSetSchema: Schema = kindSchema(
  'api.apps.v1.StatefulSet',
  'Pods with lasting names and storage.',
  {
    spec: part(2, statefulSetSpec),
    status: part(3, statefulSetStatus),
  },
);
