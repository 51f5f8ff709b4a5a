import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { optional, printed, string } from '../../../types/schema-fields.ts';
import { part, quantity } from '../../shape-fields.ts';
import { labelSelector } from '../shared/label-selector.ts';

// Storage capacity by topology.

/** Schema of `CSIStorageCapacity`. */
export const csiStorageCapacitySchema: Schema = kindSchema(
  'api.storage.v1.CSIStorageCapacity',
  'How much storage of a class there is in some place.',
  {
    nodeTopology: optional(part(2, labelSelector)),
    storageClassName: printed(string(3)),
    capacity: optional(quantity(4)),
    maximumVolumeSize: optional(quantity(5)),
  },
  { required: ['storageClassName'] },
);
