import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { int32, int64, keyedBy, optional, printed, type } from '../../../types/schema-fields.ts';
import { among, intOrString, listOf, part, textOf, withDefault } from '../../shape-fields.ts';
import { podTemplateSpec } from '../core/pod-spec.ts';
import { UPDATE_STRATEGIES } from '../shared/enumerations.ts';
import { kindCondition } from '../shared/kind-condition.ts';
import { labelSelector } from '../shared/label-selector.ts';

// Daemon sets.

const rollingUpdateDaemonSet = type('api.apps.v1.RollingUpdateDaemonSet', {
  maxUnavailable: withDefault(optional(intOrString(1)), 1),
  maxSurge: withDefault(optional(intOrString(2)), 0),
});

const daemonSetUpdateStrategy = type('api.apps.v1.DaemonSetUpdateStrategy', {
  type: among(
    withDefault(textOf(1, 'api.apps.v1.DaemonSetUpdateStrategyType'), 'RollingUpdate'),
    UPDATE_STRATEGIES,
  ),
  rollingUpdate: optional(part(2, rollingUpdateDaemonSet)),
});

const daemonSetSpec = type(
  'api.apps.v1.DaemonSetSpec',
  {
    selector: printed(optional(part(1, labelSelector))),
    template: part(2, podTemplateSpec),
    updateStrategy: part(3, daemonSetUpdateStrategy),
    minReadySeconds: int32(4),
    revisionHistoryLimit: withDefault(optional(int32(6)), 10),
  },
  { required: ['selector', 'template'] },
);

const daemonSetCondition = kindCondition('api.apps.v1.DaemonSetCondition');

const daemonSetStatus = type(
  'api.apps.v1.DaemonSetStatus',
  {
    currentNumberScheduled: printed(int32(1)),
    numberMisscheduled: printed(int32(2)),
    desiredNumberScheduled: printed(int32(3)),
    numberReady: printed(int32(4)),
    observedGeneration: int64(5),
    updatedNumberScheduled: int32(6),
    numberAvailable: int32(7),
    numberUnavailable: int32(8),
    collisionCount: optional(int32(9)),
    conditions: listOf(10, daemonSetCondition, keyedBy('type')),
  },
  { required: ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'] },
);

/** Schema of `DaemonSet`. */
export const daemonSetSchema: Schema = kindSchema(
  'api.apps.v1.DaemonSet',
  'A pod on every node that is selected.',
  {
    spec: part(2, daemonSetSpec),
    status: part(3, daemonSetStatus),
  },
);
