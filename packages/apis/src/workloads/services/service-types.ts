import type { ApiObject } from '@ashlar/core';

/** Where traffic of services goes: to all their endpoints, or to those of the same node. */
export const TRAFFIC_POLICIES: readonly string[] = ['Cluster', 'Local'];

/** A port of a service. */
export interface ServicePort {
  readonly name?: string;
  readonly port?: number;
  readonly targetPort?: number | string;
  readonly nodePort?: number;
  readonly protocol?: string;
  readonly appProtocol?: string;
}

/** The spec of a service. */
export interface ServiceSpec {
  readonly type?: string;
  readonly ports?: readonly ServicePort[];
  readonly selector?: Readonly<Record<string, string>>;
  readonly clusterIP?: string;
  readonly clusterIPs?: readonly string[];
  readonly externalIPs?: readonly string[];
  readonly externalName?: string;
  readonly sessionAffinity?: string;
  readonly sessionAffinityConfig?: { readonly clientIP?: { readonly timeoutSeconds?: number } };
  readonly externalTrafficPolicy?: string;
  readonly internalTrafficPolicy?: string;
  readonly allocateLoadBalancerNodePorts?: boolean;
  readonly ipFamilies?: readonly string[];
  readonly ipFamilyPolicy?: string;
  readonly healthCheckNodePort?: number;
  readonly loadBalancerClass?: string;
  readonly loadBalancerIP?: string;
  readonly loadBalancerSourceRanges?: readonly string[];
  readonly trafficDistribution?: string;
}

/** An address of a load balancer. */
export interface LoadBalancerIngress {
  readonly ip?: string;
  readonly hostname?: string;
  readonly ipMode?: string;
}

/** A name and an address of a set of pods. */
export interface Service extends ApiObject {
  readonly spec?: ServiceSpec;
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly LoadBalancerIngress[] } };
}

/** Whether the service has a cluster IP, or would have one. */
export const hasClusterIP = ({ type }: ServiceSpec): boolean => type !== 'ExternalName';

/** Whether it may have node ports. */
export const hasNodePorts = ({ type }: ServiceSpec): boolean =>
  type === 'NodePort' || type === 'LoadBalancer';

/** Whether node ports are allocated for it by default. */
export const needsNodePorts = ({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean =>
  type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);

/** Whether load balancers check on nodes whether they have endpoints of it. */
export const hasHealthCheck = ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

/** Whether two versions of a service have the same cluster IPs. */
export const sameList = (a: readonly unknown[] = [], b: readonly unknown[] = []): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

/** Whether it is reachable from outside the cluster. */
export const isExternal = (spec: ServiceSpec): boolean =>
  hasNodePorts(spec) || (spec.type === 'ClusterIP' && (spec.externalIPs?.length ?? 0) > 0);

/** Whether it is headless. */
export const isHeadless = ({ clusterIPs }: ServiceSpec): boolean =>
  clusterIPs?.length === 1 && clusterIPs[0] === 'None';
