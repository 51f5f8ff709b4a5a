import type { Schema } from '@ashlar/core';
import { atomic, int32, optional, printed, string, type } from '../../../types/schema-fields.ts';
import { among, listOf, part, textOf, texts } from '../../shape-fields.ts';

// Selection of nodes.

const nodeSelectorRequirement = type(
  'api.core.v1.NodeSelectorRequirement',
  {
    key: printed(string(1)),
    operator: among(printed(textOf(2, 'api.core.v1.NodeSelectorOperator')), [
      'DoesNotExist',
      'Exists',
      'Gt',
      'In',
      'Lt',
      'NotIn',
    ]),
    values: texts(3, atomic),
  },
  { required: ['key', 'operator'] },
);

const nodeSelectorTerm = type(
  'api.core.v1.NodeSelectorTerm',
  {
    matchExpressions: listOf(1, nodeSelectorRequirement, atomic),
    matchFields: listOf(2, nodeSelectorRequirement, atomic),
  },
  { mapType: 'atomic' },
);

/** Schema of `NodeSelector`. */
export const nodeSelector: Schema = type(
  'api.core.v1.NodeSelector',
  {
    nodeSelectorTerms: printed(listOf(1, nodeSelectorTerm, atomic)),
  },
  { required: ['nodeSelectorTerms'], mapType: 'atomic' },
);

/** Schema of `PreferredSchedulingTerm`. */
export const preferredSchedulingTerm: Schema = type(
  'api.core.v1.PreferredSchedulingTerm',
  {
    weight: printed(int32(1)),
    preference: part(2, nodeSelectorTerm),
  },
  { required: ['weight', 'preference'] },
);

/** Schema of `VolumeNodeAffinity`. */
export const volumeNodeAffinity: Schema = type('api.core.v1.VolumeNodeAffinity', {
  required: optional(part(1, nodeSelector)),
});

const topologySelectorLabelRequirement = type(
  'api.core.v1.TopologySelectorLabelRequirement',
  {
    key: printed(string(1)),
    values: printed(texts(2, atomic)),
  },
  { required: ['key', 'values'] },
);

/** Schema of `TopologySelectorTerm`. */
export const topologySelectorTerm: Schema = type(
  'api.core.v1.TopologySelectorTerm',
  {
    matchLabelExpressions: listOf(1, topologySelectorLabelRequirement, atomic),
  },
  { mapType: 'atomic' },
);
