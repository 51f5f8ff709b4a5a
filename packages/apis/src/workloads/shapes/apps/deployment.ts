import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import {
  boolean,
  int32,
  int64,
  keyedBy,
  optional,
  printed,
  string,
  time,
  type,
} from '../../../types/schema-fields.ts';
import { among, intOrString, listOf, part, textOf, withDefault } from '../../shape-fields.ts';
import { podTemplateSpec } from '../core/pod-spec.ts';
import { labelSelector } from '../shared/label-selector.ts';

// Deployments.

const rollingUpdateDeployment = type('api.apps.v1.RollingUpdateDeployment', {
  maxUnavailable: withDefault(optional(intOrString(1)), '25%'),
  maxSurge: withDefault(optional(intOrString(2)), '25%'),
});

const deploymentStrategy = type('api.apps.v1.DeploymentStrategy', {
  type: among(withDefault(textOf(1, 'api.apps.v1.DeploymentStrategyType'), 'RollingUpdate'), [
    'Recreate',
    'RollingUpdate',
  ]),
  rollingUpdate: optional(part(2, rollingUpdateDeployment)),
});

const deploymentSpec = type(
  'api.apps.v1.DeploymentSpec',
  {
    replicas: withDefault(optional(int32(1)), 1),
    selector: printed(optional(part(2, labelSelector))),
    template: part(3, podTemplateSpec),
    strategy: { ...part(4, deploymentStrategy), patchStrategy: 'retainKeys' },
    minReadySeconds: int32(5),
    revisionHistoryLimit: withDefault(optional(int32(6)), 10),
    paused: boolean(7),
    progressDeadlineSeconds: withDefault(optional(int32(9)), 600),
  },
  { required: ['selector', 'template'] },
);

const deploymentCondition = type(
  'api.apps.v1.DeploymentCondition',
  {
    type: printed(textOf(1, 'api.apps.v1.DeploymentConditionType')),
    status: printed(textOf(2, 'api.core.v1.ConditionStatus')),
    lastUpdateTime: time(6),
    lastTransitionTime: time(7),
    reason: string(4),
    message: string(5),
  },
  { required: ['type', 'status'] },
);

const deploymentStatus = type('api.apps.v1.DeploymentStatus', {
  observedGeneration: int64(1),
  replicas: int32(2),
  updatedReplicas: int32(3),
  readyReplicas: int32(7),
  availableReplicas: int32(4),
  unavailableReplicas: int32(5),
  conditions: listOf(6, deploymentCondition, keyedBy('type')),
  collisionCount: optional(int32(8)),
});

/** Schema of `Deployment`. */
export const deploymentSchema: Schema = kindSchema(
  'api.apps.v1.Deployment',
  'Equal pods, replaced step by step when their template changes.',
  {
    spec: part(2, deploymentSpec),
    status: part(3, deploymentStatus),
  },
);
