import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import {
  atomic,
  boolean,
  int32,
  keyedBy,
  optional,
  printed,
  string,
  stringMap,
  type,
} from '../../../types/schema-fields.ts';
import {
  among,
  intOrString,
  listOf,
  ofItemsAmong,
  part,
  textOf,
  texts,
  textsOf,
  withDefault,
  withPublishedDefault,
} from '../../shape-fields.ts';
import { condition } from '../shared/condition.ts';
import { FAMILY_POLICIES, PROTOCOLS, SERVICE_TYPES } from '../shared/enumerations.ts';
import { loadBalancerStatus } from './load-balancer.ts';

const TRAFFIC_POLICIES = ['Cluster', 'Local'];

// Services.

const servicePort = type(
  'api.core.v1.ServicePort',
  {
    name: string(1),
    protocol: among(withPublishedDefault(textOf(2, 'api.core.v1.Protocol'), 'TCP'), PROTOCOLS),
    appProtocol: optional(string(6)),
    port: printed(int32(3)),
    targetPort: printed(intOrString(4)),
    nodePort: int32(5),
  },
  { required: ['port'] },
);

const clientIPConfig = type('api.core.v1.ClientIPConfig', {
  timeoutSeconds: optional(int32(1)),
});

const sessionAffinityConfig = type('api.core.v1.SessionAffinityConfig', {
  clientIP: optional(part(1, clientIPConfig)),
});

const serviceSpec = type('api.core.v1.ServiceSpec', {
  ports: listOf(1, servicePort, keyedBy('port', 'protocol')),
  selector: { ...stringMap(2), mapType: 'atomic' },
  clusterIP: string(3),
  clusterIPs: texts(18, atomic),
  type: among(withDefault(textOf(4, 'api.core.v1.ServiceType'), 'ClusterIP'), SERVICE_TYPES),
  externalIPs: texts(5, atomic),
  sessionAffinity: among(withDefault(textOf(7, 'api.core.v1.ServiceAffinity'), 'None'), ['ClientIP', 'None']),
  loadBalancerIP: string(8),
  loadBalancerSourceRanges: texts(9, atomic),
  externalName: string(10),
  externalTrafficPolicy: among(textOf(11, 'api.core.v1.ServiceExternalTrafficPolicy'), TRAFFIC_POLICIES),
  healthCheckNodePort: int32(12),
  publishNotReadyAddresses: boolean(13),
  sessionAffinityConfig: optional(part(14, sessionAffinityConfig)),
  ipFamilies: ofItemsAmong(textsOf(19, 'api.core.v1.IPFamily', atomic), ['', 'IPv4', 'IPv6']),
  ipFamilyPolicy: among(optional(textOf(17, 'api.core.v1.IPFamilyPolicy')), FAMILY_POLICIES),
  allocateLoadBalancerNodePorts: optional(boolean(20)),
  loadBalancerClass: optional(string(21)),
  internalTrafficPolicy: among(
    optional(textOf(22, 'api.core.v1.ServiceInternalTrafficPolicy')),
    TRAFFIC_POLICIES,
  ),
  trafficDistribution: optional(string(23)),
});

const serviceStatus = type('api.core.v1.ServiceStatus', {
  loadBalancer: part(1, loadBalancerStatus),
  conditions: listOf(2, condition, keyedBy('type')),
});

/** Schema of `Service`. */
export const serviceSchema: Schema = kindSchema(
  'api.core.v1.Service',
  'A name and an address for what selected pods offer.',
  {
    spec: part(2, serviceSpec),
    status: part(3, serviceStatus),
  },
);
