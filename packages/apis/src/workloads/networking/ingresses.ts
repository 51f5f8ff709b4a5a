import {
  type ApiObject,
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  groupName,
  ownMember,
  parseIpAddress,
  pathSegmentErrors,
  portNameErrors,
  type Steps,
  type Vocabulary,
  wildcardDns1123SubdomainErrors,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { orElse } from '../cells.ts';
import { eachSteps, follows, invalidWhen, named, optionalFollows, portNumber } from '../field-rules.ts';
import { ListRule } from '../list-rule.ts';
import { ingressStatusErrors } from '../services/service-status-validation.ts';
import type { LoadBalancerIngress } from '../services/service-types.ts';
import { ingressTexts } from '../services/services.ts';
import { ingressSchema } from '../shapes/networking/ingress.ts';
import { PATH_TYPES } from '../shapes/shared/enumerations.ts';
import { specOf, workloadType } from '../workload-type.ts';

interface Backend {
  readonly service?: {
    readonly name?: string;
    readonly port?: { readonly name?: string; readonly number?: number };
  };
  readonly resource?: { readonly apiGroup?: string | null; readonly kind?: string; readonly name?: string };
}

interface Path {
  readonly path?: string;
  readonly pathType?: string | null;
  readonly backend?: Backend;
}

interface Rule {
  readonly host?: string;
  readonly http?: { readonly paths?: readonly Path[] };
}

interface Certificate {
  readonly hosts?: readonly string[];
  readonly secretName?: string;
}

/** Routes into the cluster. */
interface Ingress extends ApiObject {
  readonly spec?: {
    readonly ingressClassName?: string;
    readonly defaultBackend?: Backend;
    readonly tls?: readonly Certificate[];
    readonly rules?: readonly Rule[];
  };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly LoadBalancerIngress[] } };
}

/** Ingresses. */
export function ingresses(vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: groupName(vocabulary, 'networking.'),
    kind: 'Ingress',
    plural: 'ingresses',
    shortNames: ['ing'],
    scope: 'Namespaced',
    schema: ingressSchema,
    columns: [
      nameColumn,
      column('Class', 'Who serves it.', ({ spec }: Ingress) => orElse(spec?.ingressClassName, '<none>')),
      column('Hosts', 'Names under which it is reached.', hostsText),
      column('Address', 'Addresses at which it is reached.', ({ status }: Ingress) =>
        ingressTexts(status?.loadBalancer?.ingress).join(','),
      ),
      column('Ports', 'Ports at which it is reached.', ({ spec }: Ingress) =>
        spec?.tls?.length ? '80, 443' : '80',
      ),
      ageColumn,
    ],
    status: { validate: ({ status }: Ingress) => ingressStatusErrors(status?.loadBalancer?.ingress) },
    counted: specOf,
    strategy: {
      warnings: (object: Ingress, stored) => (stored ? [] : classWarnings(object, vocabulary)),
      *validateSteps(object: Ingress) {
        return [...(yield* validateSteps(object, () => false)), ...classErrors(object, vocabulary)];
      },
      validateUpdateSteps: (object, stored) => validateSteps(object, () => hasInvalidSecret(stored)),
    },
  });
}

/** A new ingress does not name two classes. */
function classErrors({ metadata, spec }: Ingress, { labelDomain }: Vocabulary): readonly FieldError[] {
  const key = `${labelDomain}/ingress.class`;
  const annotated = ownMember(metadata.annotations ?? {}, key);
  const name = spec?.ingressClassName;
  const isOther = annotated !== undefined && name !== undefined && annotated !== name;
  const why = 'must match `ingressClassName` when both are specified';
  return invalidWhen(isOther, `annotations.${key}`, annotated, why);
}

/** Texts of Warning headers about an annotation that was the class before there was a field. */
function classWarnings({ metadata, spec }: Ingress, { labelDomain }: Vocabulary): readonly string[] {
  const key = `${labelDomain}/ingress.class`;
  if (!metadata.annotations || !Object.hasOwn(metadata.annotations, key)) return [];
  return spec?.ingressClassName === undefined
    ? [`annotation "${key}" is deprecated, please use 'spec.ingressClassName' instead`]
    : [];
}

const MOST_HOSTS = 3;

/** Rules without a host count among the displayed ones, as clients expect. */
function hostsText({ spec }: Ingress): string {
  const rules = spec?.rules ?? [];
  const shown: string[] = [];
  for (const { host } of rules) {
    if (shown.length === MOST_HOSTS) return `${shown.join(',')} + ${rules.length - MOST_HOSTS} more...`;
    if (host) shown.push(host);
  }
  return shown.join(',') || '*';
}

/** @param allowsSecrets whether the names of secrets may be invalid, as they already are */
function* validateSteps({ spec = {} }: Ingress, allowsSecrets: () => boolean): Steps<readonly FieldError[]> {
  const { rules = [], defaultBackend, tls, ingressClassName } = spec;
  yield* aheadSteps(spec);
  let allows: boolean | undefined;
  const secretErrors = (name: string | undefined, path: string): readonly FieldError[] => {
    const errors = optionalFollows(path, name, dns1123SubdomainErrors);
    if (errors.length === 0) return errors;
    allows ??= allowsSecrets();
    return allows ? [] : errors;
  };
  const why = 'either `defaultBackend` or `rules` must be specified';
  return [
    ...(rules.length === 0 && !defaultBackend ? [FieldErrors.invalid('spec', rules, why)] : []),
    ...(defaultBackend ? backendErrors(defaultBackend, 'spec.defaultBackend') : []),
    ...(yield* eachSteps('spec.rules', rules, ruleErrors)),
    ...(yield* eachSteps('spec.tls', tls, ({ hosts, secretName }, path) => [
      ...secretHosts.errors(`${path}.hosts`, hosts),
      ...secretErrors(secretName, `${path}.secretName`),
    ])),
    ...(ingressClassName === undefined
      ? []
      : follows('spec.ingressClassName', ingressClassName, dns1123SubdomainErrors)),
  ];
}

/** Rules between pauses. */
const STRIDE = 1024;

/** Validates long lists within rules with pauses. */
function* aheadSteps({ rules, tls }: NonNullable<Ingress['spec']>): Steps<void> {
  for (const [index, { http }] of (rules ?? []).entries()) {
    yield* backendPaths.aheadSteps(http?.paths);
    if (index % STRIDE === STRIDE - 1) yield;
  }
  for (const [index, { hosts }] of (tls ?? []).entries()) {
    yield* secretHosts.aheadSteps(hosts);
    if (index % STRIDE === STRIDE - 1) yield;
  }
}

const backendPaths: ListRule<Path> = new ListRule((path, at) => pathErrors(path, at));

const secretHosts: ListRule<string> = new ListRule((host, path) => follows(path, host, hostNameErrors(host)));

function ruleErrors({ host, http }: Rule, path: string): readonly FieldError[] {
  const paths = http?.paths ?? [];
  return [
    ...(host ? hostErrors(host, `${path}.host`) : []),
    ...(http && paths.length === 0 ? [FieldErrors.required(`${path}.http.paths`)] : []),
    ...backendPaths.errors(`${path}.http.paths`, paths),
  ];
}

function hostErrors(host: string, path: string): readonly FieldError[] {
  return [
    ...(parseIpAddress(host)
      ? [FieldErrors.invalid(path, host, 'must be a DNS name, not an IP address')]
      : []),
    ...follows(path, host, hostNameErrors(host)),
  ];
}

const hostNameErrors = (host: string): typeof dns1123SubdomainErrors =>
  host.includes('*') ? wildcardDns1123SubdomainErrors : dns1123SubdomainErrors;

const hasInvalidSecret = ({ spec }: Ingress): boolean =>
  spec?.tls?.some(({ secretName }) => secretName && dns1123SubdomainErrors(secretName).length > 0) ?? false;

const SEQUENCES = ['//', '/./', '/../', '%2f', '%2F'];
const SUFFIXES = ['/..', '/.'];

function pathErrors({ path = '', pathType, backend = {} }: Path, at: string): readonly FieldError[] {
  if (!pathType && pathType !== '')
    return [FieldErrors.required(`${at}.pathType`, 'pathType must be specified')];
  if (!PATH_TYPES.includes(pathType)) {
    const unknown = FieldErrors.notSupported(`${at}.pathType`, pathType, PATH_TYPES);
    return [unknown, ...backendErrors(backend, `${at}.backend`)];
  }
  const invalid = (why: string): FieldError => FieldErrors.invalid(`${at}.path`, path, why);
  const isFree = pathType === 'ImplementationSpecific';
  return [
    ...(path.startsWith('/') || (isFree && path === '') ? [] : [invalid('must be an absolute path')]),
    ...(isFree
      ? []
      : SEQUENCES.filter((part) => path.includes(part)).map((part) => invalid(`must not contain '${part}'`))),
    ...(isFree
      ? []
      : SUFFIXES.filter((end) => path.endsWith(end)).map((end) => invalid(`cannot end with '${end}'`))),
    ...backendErrors(backend, `${at}.backend`),
  ];
}

function backendErrors({ service, resource }: Backend, path: string): readonly FieldError[] {
  if (service && resource)
    return [FieldErrors.invalid(path, '', 'cannot set both resource and service backends')];
  if (resource) return typedReferenceErrors(resource, `${path}.resource`);
  if (!service) return [FieldErrors.invalid(path, '', 'resource or service backend is required')];
  const { name: portName, number } = service.port ?? {};
  return [
    ...named(`${path}.service.name`, service.name, dns1035LabelErrors),
    ...(portName && number
      ? [FieldErrors.invalid(path, '', 'cannot set both port name & port number')]
      : portName
        ? follows(`${path}.service.port.name`, portName, portNameErrors)
        : number
          ? portNumber(`${path}.service.port.number`, number)
          : [FieldErrors.required(path, 'port name or number is required')]),
  ];
}

/** Errors of a reference to an object of any kind. */
export function typedReferenceErrors(
  { apiGroup, kind, name }: NonNullable<Backend['resource']>,
  path: string,
): readonly FieldError[] {
  return [
    ...(typeof apiGroup === 'string' ? follows(`${path}.apiGroup`, apiGroup, dns1123SubdomainErrors) : []),
    ...(kind
      ? follows(`${path}.kind`, kind, pathSegmentErrors)
      : [FieldErrors.required(`${path}.kind`, 'kind is required')]),
    ...(name
      ? follows(`${path}.name`, name, pathSegmentErrors)
      : [FieldErrors.required(`${path}.name`, 'name is required')]),
  ];
}
