import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  portNameErrors,
  validateIpAddress,
  validateLabels,
} from '@ashlar/core';
import {
  each,
  follows,
  hostAddress,
  named,
  oneOf,
  optionalFollows,
  optionalOneOf,
  PROTOCOLS,
  portNumber,
  repetition,
} from '../field-rules.ts';
import { isExternal, isHeadless, type Service, type ServicePort, type ServiceSpec } from './service-types.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const POLICIES = ['Cluster', 'Local'];

/** Errors of a service. */
export function serviceErrors({ spec = {} }: Service): readonly FieldError[] {
  const { ports = [] } = spec;
  const repeated = repetition();
  return [
    ...(ports.length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName'
      ? [FieldErrors.required('spec.ports')]
      : []),
    ...typeErrors(spec),
    ...each('spec.ports', ports, (port, path) => portErrors(port, path, ports.length > 1, repeated)),
    ...validateLabels(spec.selector, 'spec.selector'),
    ...oneOf('spec.sessionAffinity', spec.sessionAffinity, ['ClientIP', 'None']),
    ...addressErrors(spec),
    ...each('spec.externalIPs', spec.externalIPs, (ip, path) => [
      ...validateIpAddress(path, ip),
      ...(validateIpAddress(path, ip).length > 0 ? [] : hostAddress(path, ip)),
    ]),
    ...oneOf('spec.type', spec.type, TYPES),
    ...samePortErrors(spec, ports),
    ...policyErrors(spec),
  ];
}

function typeErrors(spec: ServiceSpec): readonly FieldError[] {
  if (spec.type === 'ExternalName') {
    const name = (spec.externalName ?? '').replace(/\.$/, '');
    return [
      ...(spec.clusterIPs?.length
        ? [FieldErrors.forbidden('spec.clusterIPs', 'may not be set for ExternalName services')]
        : []),
      ...named('spec.externalName', name, dns1123SubdomainErrors),
    ];
  }
  if (spec.type === 'ClusterIP' || !isHeadless(spec)) return [];
  const why = `may not be set to 'None' for ${spec.type} services`;
  return [FieldErrors.invalid('spec.clusterIPs[0]', 'None', why)];
}

function portErrors(
  port: ServicePort,
  path: string,
  isNamed: boolean,
  repeated: (name: unknown) => boolean,
): readonly FieldError[] {
  const target = port.targetPort ?? 0;
  return [
    ...(isNamed
      ? named(`${path}.name`, port.name, dns1123LabelErrors)
      : optionalFollows(`${path}.name`, port.name, dns1123LabelErrors)),
    ...(repeated(port.name) ? [FieldErrors.duplicate(`${path}.name`, port.name)] : []),
    ...portNumber(`${path}.port`, port.port),
    ...oneOf(`${path}.protocol`, port.protocol, PROTOCOLS),
    ...(typeof target === 'string'
      ? follows(`${path}.targetPort`, target, portNameErrors)
      : portNumber(`${path}.targetPort`, target)),
  ];
}

function addressErrors({ type, clusterIP, clusterIPs = [] }: ServiceSpec): readonly FieldError[] {
  if (type === 'ExternalName') return [];
  const path = 'spec.clusterIPs';
  return [
    ...(clusterIP && clusterIPs[0] !== clusterIP
      ? [FieldErrors.invalid(path, clusterIPs, 'first value must match `clusterIP`')]
      : []),
    ...each(path, clusterIPs, (ip, at, index) =>
      index === 0 && ip === 'None' ? [] : validateIpAddress(at, ip),
    ),
    ...(clusterIPs.length > 2 ? [FieldErrors.invalid(path, clusterIPs, 'may only hold up to 2 values')] : []),
  ];
}

function samePortErrors(spec: ServiceSpec, ports: readonly ServicePort[]): readonly FieldError[] {
  const forbidden = each('spec.ports', ports, ({ nodePort }, path) =>
    nodePort ? [FieldErrors.forbidden(`${path}.nodePort`, "may not be used when `type` is 'ClusterIP'")] : [],
  );
  const keys = new Set<string>();
  const repeated = each('spec.ports', ports, ({ protocol, port }, path) => {
    const key = `${protocol}/${port}`;
    if (keys.has(key)) return [FieldErrors.duplicate(path, { protocol, port })];
    keys.add(key);
    return [];
  });
  return [...(spec.type === 'ClusterIP' ? forbidden : []), ...repeated];
}

function policyErrors(spec: ServiceSpec): readonly FieldError[] {
  const { externalTrafficPolicy, internalTrafficPolicy, allocateLoadBalancerNodePorts, type } = spec;
  const path = 'spec.externalTrafficPolicy';
  return [
    ...(allocateLoadBalancerNodePorts !== undefined && type !== 'LoadBalancer'
      ? [
          FieldErrors.forbidden(
            'spec.allocateLoadBalancerNodePorts',
            "may only be used when `type` is 'LoadBalancer'",
          ),
        ]
      : []),
    ...(isExternal(spec)
      ? oneOf(path, externalTrafficPolicy, POLICIES)
      : externalTrafficPolicy
        ? [
            FieldErrors.invalid(
              path,
              externalTrafficPolicy,
              'may only be set for externally-accessible services',
            ),
          ]
        : []),
    ...optionalOneOf('spec.internalTrafficPolicy', internalTrafficPolicy, POLICIES),
  ];
}

/** Errors of an update: cluster IPs are immutable. */
export function serviceUpdateErrors(service: Service, stored: Service): readonly FieldError[] {
  const { spec = {} } = service;
  const was = stored.spec ?? {};
  const before = was.clusterIPs ?? [];
  const after = spec.clusterIPs ?? [];
  const mayChange = spec.type === 'ExternalName' || was.type === 'ExternalName';
  const moved =
    mayChange || before.length === 0 || before[0] === after[0]
      ? []
      : [FieldErrors.invalid('spec.clusterIPs[0]', after, 'may not change once set')];
  return [...moved, ...serviceErrors(service)];
}

/** Errors of the status: only a load balancer has addresses. */
export function serviceStatusErrors({ spec = {}, status }: Service): readonly FieldError[] {
  const path = 'status.loadBalancer.ingress';
  const ingress = status?.loadBalancer?.ingress ?? [];
  if (ingress.length > 0 && spec.type !== 'LoadBalancer')
    return [FieldErrors.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  return each(path, ingress, ({ ip, hostname, ipMode }, at) => [
    ...(ip ? validateIpAddress(`${at}.ip`, ip) : []),
    ...(ipMode && !ip
      ? [FieldErrors.forbidden(`${at}.ipMode`, 'may not be specified when `ip` is not set')]
      : []),
    ...optionalOneOf(`${at}.ipMode`, ipMode, ['Proxy', 'VIP']),
    ...optionalFollows(`${at}.hostname`, hostname, dns1123SubdomainErrors),
  ]);
}
