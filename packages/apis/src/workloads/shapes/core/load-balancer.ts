import type { Schema } from '@ashlar/core';
import { atomic, int32, optional, printed, string, type } from '../../../types/schema-fields.ts';
import { among, listOf, textOf } from '../../shape-fields.ts';
import { PROTOCOLS } from '../shared/enumerations.ts';

// Addresses of load balancers.

const portStatus = type(
  'api.core.v1.PortStatus',
  {
    port: printed(int32(1)),
    protocol: among(printed(textOf(2, 'api.core.v1.Protocol')), PROTOCOLS),
    error: optional(string(3)),
  },
  { required: ['port', 'protocol'] },
);

const loadBalancerIngress = type('api.core.v1.LoadBalancerIngress', {
  ip: string(1),
  hostname: string(2),
  ipMode: optional(textOf(3, 'api.core.v1.LoadBalancerIPMode')),
  ports: listOf(4, portStatus, atomic),
});

/** Schema of `LoadBalancerStatus`. */
export const loadBalancerStatus: Schema = type('api.core.v1.LoadBalancerStatus', {
  ingress: listOf(1, loadBalancerIngress, atomic),
});
