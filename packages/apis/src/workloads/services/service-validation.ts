import {
  choiceErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  portNameErrors,
  qualifiedNameErrors,
  requiredChoiceErrors,
  type Vocabulary,
  validateCidr,
  validateIpAddress,
  validateLabels,
} from '@ashlar/core';
import { ipFamilyOf } from '../addresses/address-range.ts';
import {
  each,
  follows,
  hostAddress,
  named,
  optionalFollows,
  optionalOneOf,
  PROTOCOLS,
  portNumber,
  repetition,
} from '../field-rules.ts';
import {
  hasClusterIP,
  hasHealthCheck,
  hasNodePorts,
  isExternal,
  isHeadless,
  type Service,
  type ServicePort,
  type ServiceSpec,
} from './service-types.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const POLICIES = ['Cluster', 'Local'];
const FAMILIES = ['IPv4', 'IPv6'];
const FAMILY_POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const BALANCED_ALONE = "may only be used when `type` is 'LoadBalancer'";

/** Port of the program of nodes, which must not be reachable from outside. */
const KUBELET_PORT = 10_250;
/** Longest affinity: a day. */
const MAXIMUM_AFFINITY_SECONDS = 86_400;

/** Errors of a service. */
export const serviceErrors =
  (vocabulary: Vocabulary) =>
  (service: Service): readonly FieldError[] => {
    const { spec = {} } = service;
    const { ports = [] } = spec;
    const repeated = repetition();
    return [
      ...topologyErrors(service, vocabulary),
      ...(ports.length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName'
        ? [FieldErrors.required('spec.ports')]
        : []),
      ...typeErrors(spec),
      ...each('spec.ports', ports, (port, path) => portErrors(port, path, ports.length > 1, repeated)),
      ...validateLabels(spec.selector, 'spec.selector'),
      ...affinityErrors(spec),
      ...addressErrors(spec),
      ...each('spec.externalIPs', spec.externalIPs, (ip, path) => {
        const malformed = validateIpAddress(path, ip);
        return malformed.length > 0 ? malformed : hostAddress(path, ip);
      }),
      ...requiredChoiceErrors('spec.type', spec.type, TYPES),
      ...samePortErrors(spec, ports),
      ...sourceErrors(service, vocabulary),
      ...balancerErrors(spec),
      ...policyErrors(spec),
    ];
  };

function topologyErrors({ metadata }: Service, { labelDomain }: Vocabulary): readonly FieldError[] {
  const hints = `service.${labelDomain}/topology-aware-hints`;
  const mode = `service.${labelDomain}/topology-mode`;
  const { [hints]: before, [mode]: now } = metadata.annotations ?? {};
  if (before === undefined || now === undefined || before === now) return [];
  const why = `must match annotations[${hints}] when both are specified`;
  return [FieldErrors.invalid(`metadata.annotations[${mode}]`, now, why)];
}

function typeErrors(spec: ServiceSpec): readonly FieldError[] {
  if (spec.type === 'ExternalName') return externalNameErrors(spec);
  const exposed =
    spec.type === 'LoadBalancer'
      ? each('spec.ports', spec.ports, ({ port }, path) =>
          port === KUBELET_PORT
            ? [
                FieldErrors.invalid(
                  path,
                  port,
                  `may not expose port ${KUBELET_PORT} externally since it is used by kubelet`,
                ),
              ]
            : [],
        )
      : [];
  if (!hasNodePorts(spec) || !isHeadless(spec)) return exposed;
  const why = `may not be set to 'None' for ${spec.type} services`;
  return [...exposed, FieldErrors.invalid('spec.clusterIPs[0]', 'None', why)];
}

function externalNameErrors(spec: ServiceSpec): readonly FieldError[] {
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  const forbidden = (field: string): FieldError =>
    FieldErrors.forbidden(`spec.${field}`, 'may not be set for ExternalName services');
  return [
    ...(spec.clusterIPs?.length ? [forbidden('clusterIPs')] : []),
    ...(spec.ipFamilies?.length ? [forbidden('ipFamilies')] : []),
    ...(spec.ipFamilyPolicy === undefined ? [] : [forbidden('ipFamilyPolicy')]),
    ...named('spec.externalName', name, dns1123SubdomainErrors),
  ];
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
    ...requiredChoiceErrors(`${path}.protocol`, port.protocol, PROTOCOLS),
    ...(typeof target === 'string'
      ? follows(`${path}.targetPort`, target, portNameErrors)
      : portNumber(`${path}.targetPort`, target)),
    ...(port.appProtocol === undefined
      ? []
      : follows(`${path}.appProtocol`, port.appProtocol, qualifiedNameErrors)),
  ];
}

function affinityErrors({
  sessionAffinity,
  sessionAffinityConfig: config,
}: ServiceSpec): readonly FieldError[] {
  const path = 'spec.sessionAffinityConfig';
  const unknown = requiredChoiceErrors('spec.sessionAffinity', sessionAffinity, ['ClientIP', 'None']);
  if (sessionAffinity === 'None' && config)
    return [...unknown, FieldErrors.forbidden(path, 'must not be set when session affinity is None')];
  if (sessionAffinity !== 'ClientIP') return unknown;
  const missing = (at: string): readonly FieldError[] => [
    FieldErrors.required(at, 'when session affinity type is ClientIP'),
  ];
  if (!config) return missing(path);
  if (!config.clientIP) return missing(`${path}.clientIP`);
  const { timeoutSeconds: seconds } = config.clientIP;
  const at = `${path}.clientIP.timeoutSeconds`;
  if (seconds === undefined) return missing(at);
  if (seconds > 0 && seconds <= MAXIMUM_AFFINITY_SECONDS) return [];
  return [
    FieldErrors.invalid(at, seconds, `must be greater than 0 and less than ${MAXIMUM_AFFINITY_SECONDS}`),
  ];
}

/** Errors of the fields that say which addresses a service has. */
export function addressErrors(spec: ServiceSpec): readonly FieldError[] {
  const { type, clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  if (type === 'ExternalName') return [];
  const path = 'spec.clusterIPs';
  const repeated = repetition();
  const invalid = (why: string): FieldError => FieldErrors.invalid(path, clusterIPs, why);
  const malformed = each(path, clusterIPs, (ip, at, index) =>
    index === 0 && ip === 'None'
      ? clusterIPs.length > 1
        ? [invalid("'None' must be the first and only value")]
        : []
      : validateIpAddress(at, ip),
  );
  return [
    ...matchErrors(spec, invalid),
    ...each('spec.ipFamilies', ipFamilies, (family, at) => [
      ...choiceErrors(at, family, FAMILIES),
      ...(repeated(family) ? [FieldErrors.duplicate(at, family)] : []),
    ]),
    ...(ipFamilyPolicy === undefined || FAMILY_POLICIES.includes(ipFamilyPolicy)
      ? []
      : [FieldErrors.notSupported('spec.ipFamilyPolicy', ipFamilyPolicy, FAMILY_POLICIES)]),
    ...malformed,
    ...(clusterIPs.length > 2 ? [invalid('may only hold up to 2 values')] : []),
    ...(malformed.length > 0 ? [] : familyErrors(spec, invalid)),
  ];
}

function matchErrors(
  { clusterIP, clusterIPs = [] }: ServiceSpec,
  invalid: (why: string) => FieldError,
): readonly FieldError[] {
  if (!clusterIP)
    return clusterIPs.length > 0 ? [invalid('must be empty when `clusterIP` is not specified')] : [];
  if (clusterIPs.length === 0) return [FieldErrors.required('spec.clusterIPs')];
  return clusterIPs[0] === clusterIP ? [] : [invalid('first value must match `clusterIP`')];
}

function familyErrors(spec: ServiceSpec, invalid: (why: string) => FieldError): readonly FieldError[] {
  const { clusterIPs = [], ipFamilies = [] } = spec;
  const families = clusterIPs.map(ipFamilyOf);
  const isDual = new Set(families).size === 2;
  return [
    ...(clusterIPs.length > 1 && !isDual
      ? [invalid('may specify no more than one IP for each IP family')]
      : []),
    ...(isHeadless(spec)
      ? []
      : each('spec.clusterIPs', clusterIPs.slice(0, ipFamilies.length), (ip, at, index) => {
          const family = ipFamilies[index] as string;
          if (!FAMILIES.includes(family) || family === families[index]) return [];
          const why = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
          return [FieldErrors.invalid(at, ip, why)];
        })),
  ];
}

function samePortErrors(spec: ServiceSpec, ports: readonly ServicePort[]): readonly FieldError[] {
  const forbidden = each('spec.ports', ports, ({ nodePort }, path) =>
    nodePort ? [FieldErrors.forbidden(`${path}.nodePort`, "may not be used when `type` is 'ClusterIP'")] : [],
  );
  const isSecond = { node: repetition(), own: repetition() };
  return [
    ...(spec.type === 'ClusterIP' ? forbidden : []),
    ...each('spec.ports', ports, ({ protocol, nodePort }, path) =>
      nodePort && isSecond.node(`${protocol}/${nodePort}`)
        ? [FieldErrors.duplicate(`${path}.nodePort`, nodePort)]
        : [],
    ),
    ...each('spec.ports', ports, ({ protocol, port }, path) =>
      isSecond.own(`${protocol}/${port}`) ? [FieldErrors.duplicate(path, { protocol, port })] : [],
    ),
  ];
}

/** Errors of the source ranges of a load balancer, in the field or in the annotation that preceded it. */
function sourceErrors({ metadata, spec = {} }: Service, { labelDomain }: Vocabulary): readonly FieldError[] {
  const { loadBalancerSourceRanges: ranges = [], type } = spec;
  const elsewhere = (path: string): readonly FieldError[] =>
    type === 'LoadBalancer' ? [] : [FieldErrors.forbidden(path, BALANCED_ALONE)];
  if (ranges.length > 0) {
    const path = 'spec.LoadBalancerSourceRanges';
    return [...elsewhere(path), ...each(path, ranges, (range, at) => validateCidr(at, range.trim()))];
  }
  const annotation = `service.beta.${labelDomain}/load-balancer-source-ranges`;
  const text = metadata.annotations?.[annotation];
  if (text === undefined) return [];
  const path = `metadata.annotations[${annotation}]`;
  const listed = text.trim() === '' ? [] : text.trim().split(',');
  return [...elsewhere(path), ...listed.flatMap((range) => validateCidr(path, range.trim()))];
}

function balancerErrors({
  type,
  allocateLoadBalancerNodePorts,
  loadBalancerClass,
}: ServiceSpec): readonly FieldError[] {
  const path = 'spec.loadBalancerClass';
  const isBalanced = type === 'LoadBalancer';
  return [
    ...(allocateLoadBalancerNodePorts === undefined || isBalanced
      ? []
      : [FieldErrors.forbidden('spec.allocateLoadBalancerNodePorts', BALANCED_ALONE)]),
    ...(loadBalancerClass === undefined
      ? []
      : isBalanced
        ? follows(path, loadBalancerClass, qualifiedNameErrors)
        : [FieldErrors.forbidden(path, BALANCED_ALONE)]),
  ];
}

function policyErrors(spec: ServiceSpec): readonly FieldError[] {
  const { externalTrafficPolicy, internalTrafficPolicy, trafficDistribution, type = '' } = spec;
  const path = 'spec.externalTrafficPolicy';
  const why = 'may only be set for externally-accessible services';
  const internal = 'spec.internalTrafficPolicy';
  const isInternal = type !== 'ExternalName' && TYPES.includes(type);
  return [
    ...(isExternal(spec)
      ? requiredChoiceErrors(path, externalTrafficPolicy, POLICIES)
      : externalTrafficPolicy
        ? [FieldErrors.invalid(path, externalTrafficPolicy, why)]
        : []),
    ...healthCheckErrors(spec),
    ...(internalTrafficPolicy === undefined
      ? isInternal
        ? [FieldErrors.required(internal)]
        : []
      : POLICIES.includes(internalTrafficPolicy)
        ? []
        : [FieldErrors.notSupported(internal, internalTrafficPolicy, POLICIES)]),
    ...(trafficDistribution === undefined || trafficDistribution === 'PreferClose'
      ? []
      : [FieldErrors.notSupported('spec.trafficDistribution', trafficDistribution, ['PreferClose'])]),
  ];
}

function healthCheckErrors(spec: ServiceSpec): readonly FieldError[] {
  const path = 'spec.healthCheckNodePort';
  const port = spec.healthCheckNodePort ?? 0;
  if (hasHealthCheck(spec)) return port ? portNumber(path, port) : [FieldErrors.required(path)];
  const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return port ? [FieldErrors.invalid(path, port, why)] : [];
}

/** Errors of an update: addresses, their families and the class of the load balancer are immutable. */
export const serviceUpdateErrors = (
  vocabulary: Vocabulary,
): ((service: Service, stored: Service) => readonly FieldError[]) => {
  const errorsOf = serviceErrors(vocabulary);
  return (service, stored) => {
    const [spec, was] = [service.spec ?? {}, stored.spec ?? {}];
    const isBalanced = spec.type === 'LoadBalancer' && was.type === 'LoadBalancer';
    return [
      ...(hasClusterIP(spec) && hasClusterIP(was)
        ? [...movedAddressErrors(spec, was), ...movedFamilyErrors(spec, was)]
        : []),
      ...(isBalanced && spec.loadBalancerClass !== was.loadBalancerClass
        ? [FieldErrors.invalid('spec.loadBalancerClass', spec.loadBalancerClass, MOVED)]
        : []),
      ...(hasHealthCheck(spec) && hasHealthCheck(was) && spec.healthCheckNodePort !== was.healthCheckNodePort
        ? [FieldErrors.forbidden('spec.healthCheckNodePort', 'field is immutable')]
        : []),
      ...errorsOf(service),
    ];
  };
};

const MOVED = 'may not change once set';

function movedAddressErrors(spec: ServiceSpec, was: ServiceSpec): readonly FieldError[] {
  const [before, after] = [was.clusterIPs ?? [], spec.clusterIPs ?? []];
  if (isHeadless(spec) && isHeadless(was)) return [];
  const invalid = (index: number, why: string): FieldError =>
    FieldErrors.invalid(`spec.clusterIPs[${index}]`, after, why);
  if (before.length === after.length)
    return before.flatMap((ip, index) => (ip === after[index] ? [] : [invalid(index, MOVED)]));
  const isMoved = before.length > 0 && after.length > 0 && before[0] !== after[0];
  const isReleased = before.length > after.length && after.length === 1;
  return [
    ...(after.length === 0 ? [invalid(0, 'primary clusterIP can not be unset')] : []),
    ...(isMoved ? [invalid(0, MOVED)] : []),
    ...(isReleased ? releaseErrors(spec, 'clusterIP') : []),
  ];
}

function movedFamilyErrors(spec: ServiceSpec, was: ServiceSpec): readonly FieldError[] {
  const [before, after] = [was.ipFamilies ?? [], spec.ipFamilies ?? []];
  // headless services may change their families
  if (isHeadless(spec) || isHeadless(was)) return [];
  const path = 'spec.ipFamilies[0]';
  if (before.length === after.length)
    return before.flatMap((family, index) =>
      family === after[index] ? [] : [FieldErrors.invalid(path, after, MOVED)],
    );
  const addresses = spec.clusterIPs ?? [];
  const isReleased = before.length > after.length;
  const isMoved = before.length > 0 && after.length > 0 && before[0] !== after[0];
  return [
    ...(isReleased && addresses.length === 0
      ? [FieldErrors.invalid(path, after, 'primary ipFamily can not be unset')]
      : []),
    ...(isMoved ? [FieldErrors.invalid(path, addresses, MOVED)] : []),
    ...(isReleased && after.length === 1 ? releaseErrors(spec, 'ipFamily') : []),
  ];
}

function releaseErrors({ ipFamilyPolicy }: ServiceSpec, what: string): readonly FieldError[] {
  if (ipFamilyPolicy === 'SingleStack') return [];
  const why = `must be set to 'SingleStack' when releasing the secondary ${what}`;
  return [FieldErrors.invalid('spec.ipFamilyPolicy', ipFamilyPolicy, why)];
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
