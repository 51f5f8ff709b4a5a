import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { atomic, int32, keyedBy, optional, printed, string, type } from '../../../types/schema-fields.ts';
import { listOf, part, texts } from '../../shape-fields.ts';

// Volume drivers of nodes.

const volumeNodeResources = type('api.storage.v1.VolumeNodeResources', {
  count: optional(int32(1)),
});

const csiNodeDriver = type(
  'api.storage.v1.CSINodeDriver',
  {
    name: printed(string(1)),
    nodeID: printed(string(2)),
    topologyKeys: printed(texts(3, atomic)),
    allocatable: optional(part(4, volumeNodeResources)),
  },
  { required: ['name', 'nodeID'] },
);

const csiNodeSpec = type(
  'api.storage.v1.CSINodeSpec',
  {
    drivers: printed(listOf(1, csiNodeDriver, keyedBy('name'))),
  },
  { required: ['drivers'] },
);

/** Schema of `CSINode`. */
export const csiNodeSchema: Schema = kindSchema(
  'api.storage.v1.CSINode',
  'The drivers of volumes that a node has.',
  {
    spec: part(2, csiNodeSpec),
  },
  { required: ['spec'] },
);
