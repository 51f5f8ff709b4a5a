import { type FieldError, FieldErrors, fieldErrorsOf } from '@ashlar/core';
import { type IpFamily, ipFamilyOf } from '../addresses/address-range.ts';
import { addressErrors } from './service-address-validation.ts';
import { hasClusterIP, type ServiceSpec, sameList } from './service-types.ts';

const POLICY = 'spec.ipFamilyPolicy';

/** The IP families of a cluster; the first is the default. */
export type ClusterFamilies = readonly [IpFamily, ...IpFamily[]];

/** A spec with its families, or why it cannot have them. */
export interface SpecWithFamilies {
  readonly spec: ServiceSpec;
  readonly errors: readonly FieldError[];
}

/** Sets the IP families and their policy of a service that does not name them, and checks those that it names. */
export function withFamilies(
  submitted: ServiceSpec,
  was: ServiceSpec | undefined,
  cluster: ClusterFamilies,
): SpecWithFamilies {
  if (!hasClusterIP(submitted) || (was && isSettled(submitted, was))) return { spec: submitted, errors: [] };
  const ipFamilyPolicy = submitted.ipFamilyPolicy ?? was?.ipFamilyPolicy ?? defaultPolicy(submitted);
  const requested: ServiceSpec = { ...submitted, ipFamilyPolicy };
  const malformed = addressErrors(requested);
  if (malformed.length > 0) return { spec: requested, errors: malformed };
  const reduced = was && ipFamilyPolicy === 'SingleStack' ? withoutSecond(requested, was) : requested;
  const { families, errors: unknown } = inferredFamilies(reduced, cluster);
  const errors = [...(was ? reductionErrors(reduced, was) : []), ...countErrors(reduced), ...unknown];
  const spec = { ...reduced, ipFamilies: families };
  return errors.length > 0 ? { spec, errors } : completeFamilies(spec, cluster);
}

/** Whether an update leaves the addresses of a service that prefers both families: a change of the cluster does not change it. */
function isSettled(spec: ServiceSpec, was: ServiceSpec): boolean {
  const prefers = 'PreferDualStack';
  return (
    spec.type === was.type &&
    spec.ipFamilyPolicy === prefers &&
    (was.ipFamilyPolicy ?? prefers) === prefers &&
    sameList(spec.clusterIPs, was.clusterIPs) &&
    sameList(spec.ipFamilies, was.ipFamilies)
  );
}

/** Whether the families of its endpoints, which others write, are unknown. */
const isOpen = ({ clusterIP, selector }: ServiceSpec): boolean =>
  clusterIP === 'None' && Object.keys(selector ?? {}).length === 0;

const defaultPolicy = (spec: ServiceSpec): string => (isOpen(spec) ? 'RequireDualStack' : 'SingleStack');

/** A single stack is enough to say that the second address and family, which the update repeats, are given up. */
function withoutSecond(spec: ServiceSpec, was: ServiceSpec): ServiceSpec {
  const { clusterIPs = [], ipFamilies = [] } = spec;
  return {
    ...spec,
    ...(clusterIPs.length > 1 &&
      sameList(clusterIPs, was.clusterIPs) && { clusterIPs: clusterIPs.slice(0, 1) }),
    ...(ipFamilies.length > 1 &&
      sameList(ipFamilies, was.ipFamilies) && { ipFamilies: ipFamilies.slice(0, 1) }),
  };
}

function reductionErrors({ ipFamilyPolicy, ...spec }: ServiceSpec, was: ServiceSpec): readonly FieldError[] {
  if (ipFamilyPolicy === 'SingleStack') return [];
  const isReduced = (field: 'clusterIPs' | 'ipFamilies'): boolean => {
    const length = spec[field]?.length ?? 0;
    return length > 0 && length < (was[field]?.length ?? 0);
  };
  const invalid = (what: string): FieldError =>
    FieldErrors.invalid(POLICY, ipFamilyPolicy, `must be 'SingleStack' to release the secondary ${what}`);
  return [
    ...(isReduced('clusterIPs') ? [invalid('cluster IP')] : []),
    ...(isReduced('ipFamilies') ? [invalid('IP family')] : []),
  ];
}

function countErrors({ ipFamilyPolicy, clusterIPs, ipFamilies }: ServiceSpec): readonly FieldError[] {
  if (ipFamilyPolicy !== 'SingleStack') return [];
  const invalid = (what: string): FieldError =>
    FieldErrors.invalid(
      POLICY,
      ipFamilyPolicy,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
    );
  return [
    ...(clusterIPs?.length === 2 ? [invalid('cluster IPs')] : []),
    ...(ipFamilies?.length === 2 ? [invalid('IP families')] : []),
  ];
}

/** Families of addresses that are given without them. */
function inferredFamilies(
  { clusterIPs = [], ipFamilies = [] }: ServiceSpec,
  cluster: ClusterFamilies,
): { readonly families: readonly string[]; readonly errors: readonly FieldError[] } {
  const families = [...ipFamilies];
  const errors: FieldError[] = [];
  for (const [index, ip] of clusterIPs.entries()) {
    if (ip === 'None') break;
    if (index < families.length) continue;
    const family = ipFamilyOf(ip) as IpFamily;
    if (cluster.includes(family)) families.push(family);
    else {
      const why = `${family} is not configured on this cluster`;
      errors.push(FieldErrors.invalid(`spec.clusterIPs[${index}]`, clusterIPs, why));
    }
  }
  return { families, errors };
}

function completeFamilies(spec: ServiceSpec, cluster: ClusterFamilies): SpecWithFamilies {
  const families = spec.ipFamilies ?? [];
  // such a service may have families that the cluster does not have
  const errors = isOpen(spec) ? [] : configurationErrors(spec, families, cluster);
  if (errors.length > 0) return { spec, errors };
  const first = (families[0] ?? cluster[0]) as IpFamily;
  const isDual = spec.ipFamilyPolicy !== 'SingleStack' && (isOpen(spec) || cluster.length === 2);
  const requestedFamilies = families.length > 0 ? families : [first];
  const ipFamilies = requestedFamilies.length === 1 && isDual ? [first, OTHER[first]] : requestedFamilies;
  return { spec: { ...spec, ipFamilies }, errors };
}

const OTHER: Readonly<Record<IpFamily, IpFamily>> = { IPv4: 'IPv6', IPv6: 'IPv4' };

function configurationErrors(
  { ipFamilyPolicy }: ServiceSpec,
  families: readonly string[],
  cluster: ClusterFamilies,
): readonly FieldError[] {
  const isImpossible = ipFamilyPolicy === 'RequireDualStack' && cluster.length < 2;
  const why = 'this cluster is not configured for dual-stack services';
  return [
    ...(isImpossible ? [FieldErrors.invalid(POLICY, ipFamilyPolicy, why)] : []),
    ...fieldErrorsOf(families, (family, index) =>
      cluster.includes(family as IpFamily)
        ? []
        : [FieldErrors.invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')],
    ),
  ];
}
