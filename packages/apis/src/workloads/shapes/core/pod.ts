import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { atomic, keyedBy, optional, printed, string, time, type } from '../../../types/schema-fields.ts';
import { among, listOf, mergedBy, part, textOf } from '../../shape-fields.ts';
import { containerStatus } from './container-status.ts';
import { podSpec, podTemplateSpec } from './pod-spec.ts';

// Pods and templates of them.

const podCondition = type(
  'api.core.v1.PodCondition',
  {
    type: printed(textOf(1, 'api.core.v1.PodConditionType')),
    status: printed(textOf(2, 'api.core.v1.ConditionStatus')),
    lastProbeTime: time(3),
    lastTransitionTime: time(4),
    reason: string(5),
    message: string(6),
  },
  { required: ['type', 'status'] },
);

const hostIP = type(
  'api.core.v1.HostIP',
  {
    ip: printed(string(1)),
  },
  { required: ['ip'] },
);

const podIP = type(
  'api.core.v1.PodIP',
  {
    ip: printed(string(1)),
  },
  { required: ['ip'] },
);

const podResourceClaimStatus = type(
  'api.core.v1.PodResourceClaimStatus',
  {
    name: printed(string(1)),
    resourceClaimName: optional(string(2)),
  },
  { required: ['name'] },
);

const podStatus = type('api.core.v1.PodStatus', {
  phase: among(textOf(1, 'api.core.v1.PodPhase'), ['Failed', 'Pending', 'Running', 'Succeeded', 'Unknown']),
  conditions: listOf(2, podCondition, keyedBy('type')),
  message: string(3),
  reason: string(4),
  nominatedNodeName: string(11),
  hostIP: string(5),
  hostIPs: listOf(16, hostIP, mergedBy('ip')),
  podIP: string(6),
  podIPs: listOf(12, podIP, keyedBy('ip')),
  startTime: optional(time(7)),
  initContainerStatuses: listOf(10, containerStatus, atomic),
  containerStatuses: listOf(8, containerStatus, atomic),
  qosClass: among(textOf(9, 'api.core.v1.PodQOSClass'), ['BestEffort', 'Burstable', 'Guaranteed']),
  ephemeralContainerStatuses: listOf(13, containerStatus, atomic),
  resize: textOf(14, 'api.core.v1.PodResizeStatus'),
  resourceClaimStatuses: listOf(15, podResourceClaimStatus, {
    ...keyedBy('name'),
    patchStrategy: 'merge,retainKeys',
  }),
});

/** Schema of `Pod`. */
export const podSchema: Schema = kindSchema('api.core.v1.Pod', 'Containers that run together on one node.', {
  spec: part(2, podSpec),
  status: part(3, podStatus),
});

/** Schema of `PodTemplate`. */
export const podTemplateSchema: Schema = kindSchema('api.core.v1.PodTemplate', 'A pod to be, stored.', {
  template: part(2, podTemplateSpec),
});
