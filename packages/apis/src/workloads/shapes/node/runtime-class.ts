import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { atomic, optional, printed, string, stringMap, type } from '../../../types/schema-fields.ts';
import { listOf, part, quantities } from '../../shape-fields.ts';
import { toleration } from '../core/affinity.ts';

// Configurations to run containers.

const overhead = type('api.node.v1.Overhead', {
  podFixed: quantities(1),
});

const scheduling = type('api.node.v1.Scheduling', {
  nodeSelector: { ...stringMap(1), mapType: 'atomic' },
  tolerations: listOf(2, toleration, atomic),
});

/** Schema of `RuntimeClass`. */
export const runtimeClassSchema: Schema = kindSchema(
  'api.node.v1.RuntimeClass',
  'A way to run containers.',
  {
    handler: printed(string(2)),
    overhead: optional(part(3, overhead)),
    scheduling: optional(part(4, scheduling)),
  },
  { required: ['handler'] },
);
