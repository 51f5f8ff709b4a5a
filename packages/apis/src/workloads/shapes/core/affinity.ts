import type { Schema } from '@ashlar/core';
import { atomic, int32, int64, optional, printed, string, time, type } from '../../../types/schema-fields.ts';
import { among, listOf, part, textOf, texts } from '../../shape-fields.ts';
import { TAINT_EFFECTS } from '../shared/enumerations.ts';
import { labelSelector } from '../shared/label-selector.ts';
import { nodeSelector, preferredSchedulingTerm } from './node-selector.ts';

const NODE_INCLUSION_POLICIES = ['Honor', 'Ignore'];

// Scheduling constraints of pods.

const nodeAffinity = type('api.core.v1.NodeAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: optional(part(1, nodeSelector)),
  preferredDuringSchedulingIgnoredDuringExecution: listOf(2, preferredSchedulingTerm, atomic),
});

const podAffinityTerm = type(
  'api.core.v1.PodAffinityTerm',
  {
    labelSelector: optional(part(1, labelSelector)),
    namespaces: texts(2, atomic),
    topologyKey: printed(string(3)),
    namespaceSelector: optional(part(4, labelSelector)),
    matchLabelKeys: texts(5, atomic),
    mismatchLabelKeys: texts(6, atomic),
  },
  { required: ['topologyKey'] },
);

const weightedPodAffinityTerm = type(
  'api.core.v1.WeightedPodAffinityTerm',
  {
    weight: printed(int32(1)),
    podAffinityTerm: part(2, podAffinityTerm),
  },
  { required: ['weight', 'podAffinityTerm'] },
);

const podAffinity = type('api.core.v1.PodAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: listOf(1, podAffinityTerm, atomic),
  preferredDuringSchedulingIgnoredDuringExecution: listOf(2, weightedPodAffinityTerm, atomic),
});

const podAntiAffinity = type('api.core.v1.PodAntiAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: listOf(1, podAffinityTerm, atomic),
  preferredDuringSchedulingIgnoredDuringExecution: listOf(2, weightedPodAffinityTerm, atomic),
});

/** Schema of `Affinity`. */
export const affinity: Schema = type('api.core.v1.Affinity', {
  nodeAffinity: optional(part(1, nodeAffinity)),
  podAffinity: optional(part(2, podAffinity)),
  podAntiAffinity: optional(part(3, podAntiAffinity)),
});

/** Schema of `Toleration`. */
export const toleration: Schema = type('api.core.v1.Toleration', {
  key: string(1),
  operator: among(textOf(2, 'api.core.v1.TolerationOperator'), ['Equal', 'Exists']),
  value: string(3),
  effect: among(textOf(4, 'api.core.v1.TaintEffect'), TAINT_EFFECTS),
  tolerationSeconds: optional(int64(5)),
});

/** Schema of `Taint`. */
export const taint: Schema = type(
  'api.core.v1.Taint',
  {
    key: printed(string(1)),
    value: string(2),
    effect: among(printed(textOf(3, 'api.core.v1.TaintEffect')), TAINT_EFFECTS),
    timeAdded: optional(time(4)),
  },
  { required: ['key', 'effect'] },
);

/** Schema of `TopologySpreadConstraint`. */
export const topologySpreadConstraint: Schema = type(
  'api.core.v1.TopologySpreadConstraint',
  {
    maxSkew: printed(int32(1)),
    topologyKey: printed(string(2)),
    whenUnsatisfiable: among(printed(textOf(3, 'api.core.v1.UnsatisfiableConstraintAction')), [
      'DoNotSchedule',
      'ScheduleAnyway',
    ]),
    labelSelector: optional(part(4, labelSelector)),
    minDomains: optional(int32(5)),
    nodeAffinityPolicy: among(
      optional(textOf(6, 'api.core.v1.NodeInclusionPolicy')),
      NODE_INCLUSION_POLICIES,
    ),
    nodeTaintsPolicy: among(optional(textOf(7, 'api.core.v1.NodeInclusionPolicy')), NODE_INCLUSION_POLICIES),
    matchLabelKeys: texts(8, atomic),
  },
  { required: ['maxSkew', 'topologyKey', 'whenUnsatisfiable'] },
);
