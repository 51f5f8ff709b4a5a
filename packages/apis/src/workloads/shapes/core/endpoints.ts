import type { Schema } from '@ashlar/core';
import { objectReference } from '../../../core/object-reference.ts';
import { kindSchema } from '../../../types/kind-schema.ts';
import { atomic, int32, optional, printed, string, type } from '../../../types/schema-fields.ts';
import { among, listOf, part, textOf, withDefault } from '../../shape-fields.ts';
import { PROTOCOLS } from '../shared/enumerations.ts';

// Endpoints.

const endpointAddress = type(
  'api.core.v1.EndpointAddress',
  {
    ip: printed(string(1)),
    hostname: string(3),
    nodeName: optional(string(4)),
    targetRef: optional(part(2, objectReference)),
  },
  { required: ['ip'], mapType: 'atomic' },
);

const endpointPort = type(
  'api.core.v1.EndpointPort',
  {
    name: string(1),
    port: printed(int32(2)),
    protocol: among(withDefault(textOf(3, 'api.core.v1.Protocol'), 'TCP'), PROTOCOLS),
    appProtocol: optional(string(4)),
  },
  { required: ['port'], mapType: 'atomic' },
);

const endpointSubset = type('api.core.v1.EndpointSubset', {
  addresses: listOf(1, endpointAddress, atomic),
  notReadyAddresses: listOf(2, endpointAddress, atomic),
  ports: listOf(3, endpointPort, atomic),
});

/** Schema of `Endpoints`. */
export const endpointsSchema: Schema = kindSchema('api.core.v1.Endpoints', 'Where a service is found.', {
  subsets: listOf(2, endpointSubset, atomic),
});
