import {
  choiceErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  fieldErrorsOfSteps,
  piecesOf,
  portNameErrors,
  qualifiedNameErrors,
  requiredChoiceErrors,
  type Steps,
  trimSpace,
  type Vocabulary,
  validateCidr,
  validateIpAddress,
  validateLabels,
} from '@ashlar/core';
import {
  eachSteps,
  follows,
  hostAddress,
  NO_ERRORS,
  named,
  optionalFollows,
  portNumber,
  repetition,
} from '../field-rules.ts';
import { PROTOCOLS, SERVICE_TYPES } from '../shapes/shared/enumerations.ts';
import { addressErrors } from './service-address-validation.ts';
import {
  hasHealthCheck,
  hasNodePorts,
  isExternal,
  isHeadless,
  type Service,
  type ServicePort,
  type ServiceSpec,
  TRAFFIC_POLICIES,
} from './service-types.ts';

const BALANCED_ALONE = "may only be used when `type` is 'LoadBalancer'";

/** Port of the program of nodes, which must not be reachable from outside. */
const KUBELET_PORT = 10_250;
/** Longest affinity: a day. */
const MAXIMUM_AFFINITY_SECONDS = 86_400;

/** Errors of a service, with pauses: it may have thousands of ports and addresses. */
export const serviceErrorsSteps = (vocabulary: Vocabulary) =>
  function* (service: Service): Steps<readonly FieldError[]> {
    const { spec = {} } = service;
    const { ports = [] } = spec;
    return [
      ...topologyErrors(service, vocabulary),
      ...(ports.length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName'
        ? [FieldErrors.required('spec.ports')]
        : []),
      ...(yield* typeErrorsSteps(spec)),
      ...(yield* portsErrorsSteps(ports)),
      ...validateLabels(spec.selector, 'spec.selector'),
      ...affinityErrors(spec),
      ...addressErrors(spec),
      ...(yield* eachSteps('spec.externalIPs', spec.externalIPs, (ip, path) => {
        const malformed = validateIpAddress(path, ip);
        return malformed.length > 0 ? malformed : hostAddress(path, ip);
      })),
      ...requiredChoiceErrors('spec.type', spec.type, SERVICE_TYPES),
      ...(yield* samePortErrorsSteps(spec, ports)),
      ...(yield* sourceErrorsSteps(service, vocabulary)),
      ...balancerErrors(spec),
      ...policyErrors(spec),
    ];
  };

function portsErrorsSteps(ports: readonly ServicePort[]): Steps<readonly FieldError[]> {
  const repeated = repetition();
  return eachSteps('spec.ports', ports, (port, path) => portErrors(port, path, ports.length > 1, repeated));
}

function topologyErrors({ metadata }: Service, { labelDomain }: Vocabulary): readonly FieldError[] {
  const hints = `service.${labelDomain}/topology-aware-hints`;
  const mode = `service.${labelDomain}/topology-mode`;
  const { [hints]: before, [mode]: now } = metadata.annotations ?? {};
  if (before === undefined || now === undefined || before === now) return [];
  const why = `must match annotations[${hints}] when both are specified`;
  return [FieldErrors.invalid(`metadata.annotations[${mode}]`, now, why)];
}

function* typeErrorsSteps(spec: ServiceSpec): Steps<readonly FieldError[]> {
  if (spec.type === 'ExternalName') return externalNameErrors(spec);
  const exposed =
    spec.type === 'LoadBalancer'
      ? yield* eachSteps('spec.ports', spec.ports, ({ port }, path) =>
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

function* samePortErrorsSteps(
  { type }: ServiceSpec,
  ports: readonly ServicePort[],
): Steps<readonly FieldError[]> {
  const isSecond = { node: pairRepetition(), own: pairRepetition() };
  const at = (index: number): string => `spec.ports[${index}]`;
  const forbidden = (index: number): FieldError =>
    FieldErrors.forbidden(`${at(index)}.nodePort`, "may not be used when `type` is 'ClusterIP'");
  return [
    ...(type === 'ClusterIP'
      ? yield* fieldErrorsOfSteps(ports, ({ nodePort }, index) => (nodePort ? [forbidden(index)] : NO_ERRORS))
      : []),
    ...(yield* fieldErrorsOfSteps(ports, ({ protocol, nodePort }, index) =>
      nodePort && isSecond.node(protocol, nodePort)
        ? [FieldErrors.duplicate(`${at(index)}.nodePort`, nodePort)]
        : NO_ERRORS,
    )),
    ...(yield* fieldErrorsOfSteps(ports, ({ protocol, port }, index) =>
      isSecond.own(protocol, port) ? [FieldErrors.duplicate(at(index), { protocol, port })] : NO_ERRORS,
    )),
  ];
}

/** Reports whether each pair is a duplicate: pairs of numbers are compared without a text of each. */
function pairRepetition(): (protocol: string | undefined, port: number | undefined) => boolean {
  const seen = new Map<string | undefined, Set<number | undefined>>();
  return (protocol, port) => {
    const ofProtocol = seen.get(protocol) ?? new Set();
    if (ofProtocol.size === 0) seen.set(protocol, ofProtocol);
    const before = ofProtocol.size;
    return ofProtocol.add(port).size === before;
  };
}

/** Errors of the source ranges of a load balancer, in the field or in the annotation that preceded it. */
function* sourceErrorsSteps(
  { metadata, spec = {} }: Service,
  { labelDomain }: Vocabulary,
): Steps<readonly FieldError[]> {
  const { loadBalancerSourceRanges: ranges = [], type } = spec;
  const elsewhere = (path: string): readonly FieldError[] =>
    type === 'LoadBalancer' ? [] : [FieldErrors.forbidden(path, BALANCED_ALONE)];
  if (ranges.length > 0) {
    const path = 'spec.LoadBalancerSourceRanges';
    return [
      ...elsewhere(path),
      ...(yield* eachSteps(path, ranges, (range, at) => validateCidr(at, trimSpace(range)))),
    ];
  }
  const annotation = `service.beta.${labelDomain}/load-balancer-source-ranges`;
  const text = metadata.annotations?.[annotation];
  if (text === undefined) return [];
  const path = `metadata.annotations[${annotation}]`;
  const listed = trimSpace(text) === '' ? [] : piecesOf(trimSpace(text), ',');
  return [
    ...elsewhere(path),
    ...(yield* fieldErrorsOfSteps(listed, (range) => validateCidr(path, trimSpace(range)))),
  ];
}

function balancerErrors(spec: ServiceSpec): readonly FieldError[] {
  const isMisplaced = spec.allocateLoadBalancerNodePorts !== undefined && spec.type !== 'LoadBalancer';
  return [
    ...(isMisplaced ? [FieldErrors.forbidden('spec.allocateLoadBalancerNodePorts', BALANCED_ALONE)] : []),
    ...balancerClassErrors(spec),
  ];
}

/** Errors of the class of a load balancer. Updates report them twice: once more with that of its changes. */
export function balancerClassErrors({ type, loadBalancerClass }: ServiceSpec): readonly FieldError[] {
  const path = 'spec.loadBalancerClass';
  if (loadBalancerClass === undefined) return [];
  return type === 'LoadBalancer'
    ? follows(path, loadBalancerClass, qualifiedNameErrors)
    : [FieldErrors.forbidden(path, BALANCED_ALONE)];
}

function policyErrors(spec: ServiceSpec): readonly FieldError[] {
  const { externalTrafficPolicy, internalTrafficPolicy, trafficDistribution, type = '' } = spec;
  const path = 'spec.externalTrafficPolicy';
  const why = 'may only be set for externally-accessible services';
  const internal = 'spec.internalTrafficPolicy';
  const isInternal = type !== 'ExternalName' && SERVICE_TYPES.includes(type);
  return [
    ...(isExternal(spec)
      ? requiredChoiceErrors(path, externalTrafficPolicy, TRAFFIC_POLICIES)
      : externalTrafficPolicy
        ? [FieldErrors.invalid(path, externalTrafficPolicy, why)]
        : []),
    ...healthCheckErrors(spec),
    ...(isInternal && internalTrafficPolicy === undefined
      ? [FieldErrors.required(internal)]
      : choiceErrors(internal, internalTrafficPolicy, TRAFFIC_POLICIES)),
    ...choiceErrors('spec.trafficDistribution', trafficDistribution, ['PreferClose']),
  ];
}

function healthCheckErrors(spec: ServiceSpec): readonly FieldError[] {
  const path = 'spec.healthCheckNodePort';
  const port = spec.healthCheckNodePort ?? 0;
  if (hasHealthCheck(spec)) return port ? portNumber(path, port) : [FieldErrors.required(path)];
  const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return port ? [FieldErrors.invalid(path, port, why)] : [];
}
