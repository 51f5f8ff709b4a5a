import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { atomic, boolean, optional, printed, string, stringMap } from '../../../types/schema-fields.ts';
import { among, listOf, textOf, texts, withDefault } from '../../shape-fields.ts';
import { topologySelectorTerm } from '../core/node-selector.ts';
import { RECLAIM_POLICIES } from '../shared/enumerations.ts';

// Classes of storage.

/** Schema of `StorageClass`. */
export const storageClassSchema: Schema = kindSchema(
  'api.storage.v1.StorageClass',
  'A kind of storage.',
  {
    provisioner: printed(string(2)),
    parameters: stringMap(3),
    reclaimPolicy: among(
      withDefault(optional(textOf(4, 'api.core.v1.PersistentVolumeReclaimPolicy')), 'Delete'),
      RECLAIM_POLICIES,
    ),
    mountOptions: texts(5, atomic),
    allowVolumeExpansion: optional(boolean(6)),
    volumeBindingMode: among(
      withDefault(optional(textOf(7, 'api.storage.v1.VolumeBindingMode')), 'Immediate'),
      ['Immediate', 'WaitForFirstConsumer'],
    ),
    allowedTopologies: listOf(8, topologySelectorTerm, atomic),
  },
  { required: ['provisioner'] },
);
