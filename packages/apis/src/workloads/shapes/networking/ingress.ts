import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { atomic, int32, optional, printed, string, type } from '../../../types/schema-fields.ts';
import { among, embedded, listOf, part, textOf, texts } from '../../shape-fields.ts';
import { PATH_TYPES, PROTOCOLS } from '../shared/enumerations.ts';
import { typedLocalObjectReference } from '../shared/references.ts';

// Routes into the cluster by host and path.

const serviceBackendPort = type(
  'api.networking.v1.ServiceBackendPort',
  {
    name: string(1),
    number: int32(2),
  },
  { mapType: 'atomic' },
);

const ingressServiceBackend = type(
  'api.networking.v1.IngressServiceBackend',
  {
    name: printed(string(1)),
    port: part(2, serviceBackendPort),
  },
  { required: ['name'] },
);

const ingressBackend = type('api.networking.v1.IngressBackend', {
  service: optional(part(4, ingressServiceBackend)),
  resource: optional(part(3, typedLocalObjectReference)),
});

const httpIngressPath = type(
  'api.networking.v1.HTTPIngressPath',
  {
    path: string(1),
    pathType: among(printed(optional(textOf(3, 'api.networking.v1.PathType'))), PATH_TYPES),
    backend: part(2, ingressBackend),
  },
  { required: ['pathType', 'backend'] },
);

const httpIngressRuleValue = type(
  'api.networking.v1.HTTPIngressRuleValue',
  {
    paths: printed(listOf(1, httpIngressPath, atomic)),
  },
  { required: ['paths'] },
);

const ingressRuleValue = type('api.networking.v1.IngressRuleValue', {
  http: { ...optional(part(1, httpIngressRuleValue)), bareReference: true },
});

const ingressRule = type('api.networking.v1.IngressRule', {
  host: string(1),
  ...embedded(2, ingressRuleValue),
});

const ingressTLS = type('api.networking.v1.IngressTLS', {
  hosts: texts(1, atomic),
  secretName: string(2),
});

const ingressSpec = type('api.networking.v1.IngressSpec', {
  ingressClassName: optional(string(4)),
  defaultBackend: optional(part(1, ingressBackend)),
  tls: listOf(2, ingressTLS, atomic),
  rules: listOf(3, ingressRule, atomic),
});

const ingressPortStatus = type(
  'api.networking.v1.IngressPortStatus',
  {
    port: printed(int32(1)),
    protocol: among(printed(textOf(2, 'api.core.v1.Protocol')), PROTOCOLS),
    error: optional(string(3)),
  },
  { required: ['port', 'protocol'] },
);

const ingressLoadBalancerIngress = type('api.networking.v1.IngressLoadBalancerIngress', {
  ip: string(1),
  hostname: string(2),
  ports: listOf(4, ingressPortStatus, atomic),
});

const ingressLoadBalancerStatus = type('api.networking.v1.IngressLoadBalancerStatus', {
  ingress: listOf(1, ingressLoadBalancerIngress, atomic),
});

const ingressStatus = type('api.networking.v1.IngressStatus', {
  loadBalancer: part(1, ingressLoadBalancerStatus),
});

/** Schema of `Ingress`. */
export const ingressSchema: Schema = kindSchema(
  'api.networking.v1.Ingress',
  'Ways into the cluster, by host and path.',
  {
    spec: part(2, ingressSpec),
    status: part(3, ingressStatus),
  },
);
