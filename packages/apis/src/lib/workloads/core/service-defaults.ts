import type { JsonObject } from '@ashlar/core';
import type { DefaultRules } from '../schema-defaults.ts';
import { withFirst } from './pod-defaults.ts';
import {
  hasClusterIP,
  hasNodePorts,
  isExternal,
  isHeadless,
  type Service,
  type ServicePort,
  type ServiceSpec,
} from './service-types.ts';

const AFFINITY_SECONDS = 10_800;

/** Defaults of services that depend on other fields. */
export const serviceRules: DefaultRules = {
  'api.core.v1.Service': completeService,
};

function completeService(object: JsonObject): JsonObject {
  const { spec: given = {}, status } = object as unknown as Service;
  const addressed = withFirst(given as JsonObject, 'clusterIP', 'clusterIPs', (ip) => ip) as ServiceSpec;
  const spec = { ...addressed, type: addressed.type || 'ClusterIP' };
  const isBalanced = spec.type === 'LoadBalancer';
  const complete: ServiceSpec = {
    ...withAffinity(spec),
    ...(spec.ports && { ports: spec.ports.map(withTarget) }),
    ...(isExternal(spec) && { externalTrafficPolicy: spec.externalTrafficPolicy || 'Cluster' }),
    ...(spec.type !== 'ExternalName' && { internalTrafficPolicy: spec.internalTrafficPolicy ?? 'Cluster' }),
    ...(isBalanced && { allocateLoadBalancerNodePorts: spec.allocateLoadBalancerNodePorts ?? true }),
  };
  const modes = isBalanced && status && { status: withModes(status) };
  return { ...object, spec: complete, ...modes } as unknown as JsonObject;
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

/** What the server adds to a new service: the families of its addresses. */
export function withFamilies(spec: ServiceSpec): ServiceSpec {
  if (!hasClusterIP(spec)) return spec;
  const { clusterIPs = [], ipFamilies, ipFamilyPolicy } = spec;
  // nobody knows of which family the endpoints are that others write
  const isOpen = isHeadless(spec) && !spec.selector;
  const given = clusterIPs.filter((ip) => ip !== 'None').map((ip) => (ip.includes(':') ? 'IPv6' : 'IPv4'));
  return {
    ...spec,
    ipFamilies: ipFamilies?.length
      ? ipFamilies
      : given.length > 0
        ? given
        : isOpen
          ? ['IPv4', 'IPv6']
          : ['IPv4'],
    ipFamilyPolicy: ipFamilyPolicy ?? (given.length > 1 || isOpen ? 'RequireDualStack' : 'SingleStack'),
  };
}

/** What an update leaves out of what was given to the service for good is kept. */
export function withAllocated(spec: ServiceSpec, stored: ServiceSpec): ServiceSpec {
  const keepsAddress = hasClusterIP(spec) && hasClusterIP(stored);
  const keepsPorts = hasNodePorts(spec) && hasNodePorts(stored);
  const ipFamilies = spec.ipFamilies?.length ? spec.ipFamilies : stored.ipFamilies;
  const ipFamilyPolicy = spec.ipFamilyPolicy ?? stored.ipFamilyPolicy;
  const clusterIP = spec.clusterIP || stored.clusterIP;
  const clusterIPs = spec.clusterIPs?.length ? spec.clusterIPs : stored.clusterIPs;
  return {
    ...spec,
    ...(keepsAddress && {
      ...(clusterIP && { clusterIP }),
      ...(clusterIPs && { clusterIPs }),
      ...(ipFamilies && { ipFamilies }),
      ...(ipFamilyPolicy && { ipFamilyPolicy }),
    }),
    ...(keepsPorts && spec.ports && { ports: withNodePorts(spec.ports, stored.ports ?? []) }),
  };
}

function withNodePorts(
  ports: readonly ServicePort[],
  stored: readonly ServicePort[],
): readonly ServicePort[] {
  const used = new Set(ports.flatMap(({ nodePort }) => nodePort || []));
  return ports.map((port) => {
    const before = stored.find(({ name }) => name === port.name)?.nodePort;
    return port.nodePort || !before || used.has(before) ? port : { ...port, nodePort: before };
  });
}

/** What made sense for the type that the service had, and is not said anew, goes with it. */
export function withoutForeign(spec: ServiceSpec, stored: ServiceSpec): ServiceSpec {
  const {
    clusterIP,
    clusterIPs,
    ipFamilies,
    ipFamilyPolicy,
    externalTrafficPolicy,
    allocateLoadBalancerNodePorts,
    ...rest
  } = spec;
  const losesAddress = hasClusterIP(stored) && !hasClusterIP(spec) && clusterIP === stored.clusterIP;
  const losesPolicy =
    isExternal(stored) && !isExternal(spec) && externalTrafficPolicy === stored.externalTrafficPolicy;
  const losesBalancer =
    stored.type === 'LoadBalancer' &&
    spec.type !== 'LoadBalancer' &&
    allocateLoadBalancerNodePorts === stored.allocateLoadBalancerNodePorts;
  const losesPorts = hasNodePorts(stored) && !hasNodePorts(spec);
  const addresses = {
    ...(clusterIP !== undefined && { clusterIP }),
    ...(clusterIPs && { clusterIPs }),
    ...(ipFamilies && { ipFamilies }),
    ...(ipFamilyPolicy !== undefined && { ipFamilyPolicy }),
  };
  return {
    ...rest,
    ...(losesPorts && rest.ports && { ports: rest.ports.map(({ nodePort: _, ...port }) => port) }),
    ...(!losesAddress && addresses),
    ...(!losesPolicy && externalTrafficPolicy !== undefined && { externalTrafficPolicy }),
    ...(!losesBalancer && allocateLoadBalancerNodePorts !== undefined && { allocateLoadBalancerNodePorts }),
  };
}
