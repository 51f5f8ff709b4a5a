import type { Schema } from '@ashlar/core';
import { printed, string, type } from '../../../types/schema-fields.ts';
import { listOf, ownedBy, quantities } from '../../shape-fields.ts';

// Requests and limits of containers and claims.

const resourceClaim = type(
  'api.core.v1.ResourceClaim',
  {
    name: printed(string(1)),
    request: string(2),
  },
  { required: ['name'] },
);

/** Schema of `ResourceRequirements`. */
export const resourceRequirements: Schema = type('api.core.v1.ResourceRequirements', {
  limits: quantities(1),
  requests: quantities(2),
  claims: listOf(3, resourceClaim, ownedBy('name')),
});

/** Schema of `VolumeResourceRequirements`. */
export const volumeResourceRequirements: Schema = type('api.core.v1.VolumeResourceRequirements', {
  limits: quantities(1),
  requests: quantities(2),
});
