import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { atomic, boolean, int64, optional, printed, string, type } from '../../../types/schema-fields.ts';
import { listOf, ownedSet, part, textOf, textsOf, withDefault } from '../../shape-fields.ts';

// Volume drivers.

const tokenRequest = type(
  'api.storage.v1.TokenRequest',
  {
    audience: printed(string(1)),
    expirationSeconds: optional(int64(2)),
  },
  { required: ['audience'] },
);

const csiDriverSpec = type('api.storage.v1.CSIDriverSpec', {
  attachRequired: withDefault(optional(boolean(1)), true),
  podInfoOnMount: withDefault(optional(boolean(2)), false),
  volumeLifecycleModes: withDefault(textsOf(3, 'api.storage.v1.VolumeLifecycleMode', ownedSet), [
    'Persistent',
  ]),
  storageCapacity: withDefault(optional(boolean(4)), false),
  fsGroupPolicy: withDefault(optional(textOf(5, 'api.storage.v1.FSGroupPolicy')), 'ReadWriteOnceWithFSType'),
  tokenRequests: listOf(6, tokenRequest, atomic),
  requiresRepublish: withDefault(optional(boolean(7)), false),
  seLinuxMount: withDefault(optional(boolean(8)), false),
});

/** Schema of `CSIDriver`. */
export const csiDriverSchema: Schema = kindSchema(
  'api.storage.v1.CSIDriver',
  'A driver of volumes.',
  {
    spec: part(2, csiDriverSpec),
  },
  { required: ['spec'] },
);
