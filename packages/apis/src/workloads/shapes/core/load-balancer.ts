import type { Schema } from '@ashlar/core';
import { atomic, int32, optional, printed, string, type } from '../../../types/schema-fields.ts';
import { listOf } from '../../shape-fields.ts';

// Addresses of load balancers.

const portStatus = type(
  'api.core.v1.PortStatus',
  {
    port: printed(int32(1)),
    protocol: printed(string(2)),
    error: optional(string(3)),
  },
  { required: ['port', 'protocol'] },
);

const loadBalancerIngress = type('api.core.v1.LoadBalancerIngress', {
  ip: string(1),
  hostname: string(2),
  ipMode: optional(string(3)),
  ports: listOf(4, portStatus, atomic),
});

/** Schema of `LoadBalancerStatus`. */
export const loadBalancerStatus: Schema = type('api.core.v1.LoadBalancerStatus', {
  ingress: listOf(1, loadBalancerIngress, atomic),
});
