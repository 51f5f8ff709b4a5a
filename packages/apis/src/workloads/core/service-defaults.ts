import { type JsonObject, type JsonValue, jsonEqual } from '@ashlar/core';
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
  const spec = { ...given, type: given.type || 'ClusterIP' };
  const isBalanced = spec.type === 'LoadBalancer';
  const { internalTrafficPolicy, ...affine } = withAffinity(spec);
  const complete: ServiceSpec = {
    ...affine,
    ...(spec.ports && { ports: spec.ports.map(withTarget) }),
    ...(isExternal(spec) && { externalTrafficPolicy: spec.externalTrafficPolicy || 'Cluster' }),
    ...(spec.type !== 'ExternalName' && { internalTrafficPolicy: internalTrafficPolicy ?? 'Cluster' }),
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

/** The single address and the list of addresses are equal. */
export const withAddresses = (spec: ServiceSpec): ServiceSpec =>
  withFirst(spec as JsonObject, 'clusterIP', 'clusterIPs', (ip) => ip) as ServiceSpec;

/** Defaults of the server for a new service: its IP families. */
export function withFamilies(spec: ServiceSpec): ServiceSpec {
  if (!hasClusterIP(spec)) return spec;
  const { clusterIPs = [], ipFamilies, ipFamilyPolicy } = spec;
  // the IP family of endpoints that others write is unknown
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

/** Immutable fields of the service that an update omits are preserved. */
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

/** Fields of the former type that are not set by the update are cleared. */
export function withoutForeign(spec: ServiceSpec, stored: ServiceSpec): ServiceSpec {
  const isPreserved = (name: keyof ServiceSpec, wasFitting: boolean, isFitting: boolean): boolean =>
    isFitting || !wasFitting || !jsonEqual(spec[name] as JsonValue, stored[name] as JsonValue);
  const [addressed, open, external] = [hasClusterIP, hasNodePorts, isExternal].map((fits) => ({
    was: fits(stored),
    is: fits(spec),
  })) as [Fit, Fit, Fit];
  const balanced = { was: stored.type === 'LoadBalancer', is: spec.type === 'LoadBalancer' };
  const rules: readonly (readonly [keyof ServiceSpec, Fit])[] = [
    ['clusterIP', addressed],
    ['clusterIPs', addressed],
    ['ipFamilies', addressed],
    ['ipFamilyPolicy', addressed],
    ['externalTrafficPolicy', external],
    ['allocateLoadBalancerNodePorts', balanced],
  ];
  const dropped = new Set(
    rules.filter(([name, { was, is }]) => !isPreserved(name, was, is)).map(([name]) => name),
  );
  const preserved = Object.fromEntries(
    Object.entries(spec).filter(([name]) => !dropped.has(name as keyof ServiceSpec)),
  ) as ServiceSpec;
  if (open.is || !open.was || !preserved.ports) return preserved;
  return { ...preserved, ports: preserved.ports.map(({ nodePort: _, ...port }) => port) };
}

/** Whether a field applied to a service, and still does. */
interface Fit {
  readonly was: boolean;
  readonly is: boolean;
}
