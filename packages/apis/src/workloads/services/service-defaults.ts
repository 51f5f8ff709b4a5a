import type { JsonObject } from '@ashlar/core';
import type { DefaultRules } from '../defaults/default-rules.ts';
import {
  isExternal,
  type Service,
  type ServicePort,
  type ServiceSpec,
  TRAFFIC_POLICIES,
} from './service-types.ts';

const AFFINITY_SECONDS = 10_800;

/** Defaults of services that depend on other fields. */
export const serviceRules: DefaultRules = {
  'api.core.v1.Service': completeService,
};

function completeService(object: JsonObject): JsonObject {
  const { spec: submitted = {}, status } = object as unknown as Service;
  const spec = { ...submitted, type: submitted.type || 'ClusterIP' };
  const isBalanced = spec.type === 'LoadBalancer';
  const { internalTrafficPolicy, ...affine } = withAffinity(spec);
  const complete: ServiceSpec = {
    ...affine,
    ...(spec.ports && { ports: spec.ports.map(withTarget) }),
    ...(isExternal(spec) && { externalTrafficPolicy: spec.externalTrafficPolicy || 'Cluster' }),
    ...internalPolicy(spec.type, internalTrafficPolicy),
    ...(isBalanced && { allocateLoadBalancerNodePorts: spec.allocateLoadBalancerNodePorts ?? true }),
  };
  const modes = isBalanced && status && { status: withModes(status) };
  return { ...object, spec: complete, ...modes } as unknown as JsonObject;
}

/** Services without addresses lose their policy once it is validated: an unknown one stays to be reported. */
function internalPolicy(type: string, policy: string | undefined): ServiceSpec {
  if (type !== 'ExternalName') return { internalTrafficPolicy: policy ?? 'Cluster' };
  return policy === undefined || TRAFFIC_POLICIES.includes(policy) ? {} : { internalTrafficPolicy: policy };
}

function withAffinity(spec: ServiceSpec): ServiceSpec {
  const { sessionAffinityConfig: config, ...rest } = spec;
  if (!spec.sessionAffinity || spec.sessionAffinity === 'None') return rest;
  if (spec.sessionAffinity !== 'ClientIP' || config?.clientIP?.timeoutSeconds !== undefined) return spec;
  return { ...rest, sessionAffinityConfig: { clientIP: { timeoutSeconds: AFFINITY_SECONDS } } };
}

const withTarget = (port: ServicePort): ServicePort =>
  port.targetPort || port.port === undefined ? port : { ...port, targetPort: port.port };

function withModes(status: NonNullable<Service['status']>): NonNullable<Service['status']> {
  const { ingress } = status.loadBalancer ?? {};
  if (!ingress?.some(({ ip, ipMode }) => ip && ipMode === undefined)) return status;
  const complete = ingress.map((entry) => (entry.ip ? { ...entry, ipMode: entry.ipMode ?? 'VIP' } : entry));
  return { ...status, loadBalancer: { ...status.loadBalancer, ingress: complete } };
}
