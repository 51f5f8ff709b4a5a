import {
  hasClusterIP,
  hasHealthCheck,
  hasNodePorts,
  isExternal,
  needsNodePorts,
  type ServicePort,
  type ServiceSpec,
  sameList,
} from './service-types.ts';

/** Keeps addresses and ports of a stored service that an update does not name, so that the same manifest can be sent again. */
export function withStoredAddresses(spec: ServiceSpec, was: ServiceSpec): ServiceSpec {
  const clusterIP = spec.clusterIP || was.clusterIP;
  const clusterIPs = spec.clusterIPs?.length ? spec.clusterIPs : was.clusterIPs;
  const healthPort = spec.healthCheckNodePort || was.healthCheckNodePort;
  return {
    ...spec,
    ...(hasClusterIP(spec) &&
      hasClusterIP(was) && { ...(clusterIP && { clusterIP }), ...(clusterIPs?.length && { clusterIPs }) }),
    ...(needsNodePorts(spec) &&
      needsNodePorts(was) &&
      spec.ports && { ports: withNodePorts(spec.ports, was.ports ?? []) }),
    ...(hasHealthCheck(spec) && hasHealthCheck(was) && healthPort && { healthCheckNodePort: healthPort }),
  };
}

/** Ports keep the port of nodes of the stored port with the same name, unless another one has it now. */
function withNodePorts(
  ports: readonly ServicePort[],
  stored: readonly ServicePort[],
): readonly ServicePort[] {
  const used = new Set(ports.flatMap(({ nodePort }) => nodePort || []));
  const byName = new Map(stored.map(({ name = '', nodePort }) => [name, nodePort]));
  return ports.map((port) => {
    const before = byName.get(port.name ?? '');
    return port.nodePort || !before || used.has(before) ? port : { ...port, nodePort: before };
  });
}

/** Makes the list of cluster IPs follow the single one, where a client changed only that. */
export function withMatchingAddresses(spec: ServiceSpec, was: ServiceSpec | undefined): ServiceSpec {
  const { clusterIP = '', clusterIPs = [] } = spec;
  if (!was) return clusterIP && clusterIPs.length === 0 ? { ...spec, clusterIPs: [clusterIP] } : spec;
  const before = was.clusterIP ?? '';
  const isListUnchanged = sameList(clusterIPs, was.clusterIPs);
  if (clusterIP === before)
    return clusterIPs.length === 0 && was.clusterIPs?.length ? { ...spec, clusterIPs: was.clusterIPs } : spec;
  if (!isListUnchanged) return spec;
  if (clusterIP !== '') return { ...spec, clusterIPs: [clusterIP] };
  const { clusterIPs: _, ...cleared } = spec;
  return cleared;
}

/** Removes what an update repeats of the former type of a service, as far as the new one does not have it. */
export function withoutFormerTypeFields(spec: ServiceSpec, was: ServiceSpec): ServiceSpec {
  const noLonger = (has: (spec: ServiceSpec) => boolean): boolean => has(was) && !has(spec);
  const isBalanced = ({ type }: ServiceSpec): boolean => type === 'LoadBalancer';
  const dropped = new Set<keyof ServiceSpec>();
  const drop = (isDropped: boolean, ...fields: readonly (keyof ServiceSpec)[]): void => {
    if (isDropped) for (const field of fields) dropped.add(field);
  };
  const same = (field: keyof ServiceSpec): boolean => (spec[field] ?? '') === (was[field] ?? '');
  if (noLonger(hasClusterIP)) {
    drop(same('clusterIP') && sameList(spec.clusterIPs, was.clusterIPs), 'clusterIP', 'clusterIPs');
    drop(sameList(spec.ipFamilies, was.ipFamilies), 'ipFamilies');
    drop(same('ipFamilyPolicy'), 'ipFamilyPolicy');
  }
  drop(noLonger(hasHealthCheck) && same('healthCheckNodePort'), 'healthCheckNodePort');
  drop(noLonger(isBalanced) && same('allocateLoadBalancerNodePorts'), 'allocateLoadBalancerNodePorts');
  drop(noLonger(isBalanced) && same('loadBalancerClass'), 'loadBalancerClass');
  drop(noLonger(isExternal) && same('externalTrafficPolicy'), 'externalTrafficPolicy');
  const remaining =
    dropped.size === 0
      ? spec
      : (Object.fromEntries(
          Object.entries(spec).filter(([name]) => !dropped.has(name as keyof ServiceSpec)),
        ) as ServiceSpec);
  return noLonger(hasNodePorts) ? withoutNodePorts(remaining, was) : remaining;
}

/** Removes ports of nodes, unless the update names new ones, which are errors then. */
function withoutNodePorts(spec: ServiceSpec, was: ServiceSpec): ServiceSpec {
  const before = new Set(was.ports?.map(({ nodePort }) => nodePort || 0));
  if (!spec.ports?.every(({ nodePort }) => !nodePort || before.has(nodePort))) return spec;
  return { ...spec, ports: spec.ports.map(({ nodePort: _, ...port }) => port) };
}
