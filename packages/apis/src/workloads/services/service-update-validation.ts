import { type FieldError, FieldErrors, goQuote, PrintedValue } from '@ashlar/core';
import { hasClusterIP, hasHealthCheck, isHeadless, type Service, type ServiceSpec } from './service-types.ts';
import { balancerClassErrors } from './service-validation.ts';

/** Errors of changes: addresses, their families and the class of the load balancer are immutable. */
export function serviceUpdateErrors(service: Service, stored: Service): readonly FieldError[] {
  const [spec, was] = [service.spec ?? {}, stored.spec ?? {}];
  const isBalanced = spec.type === 'LoadBalancer' && was.type === 'LoadBalancer';
  return [
    ...(hasClusterIP(spec) && hasClusterIP(was)
      ? [...movedAddressErrors(spec, was), ...movedFamilyErrors(spec, was)]
      : []),
    ...(isBalanced && spec.loadBalancerClass !== was.loadBalancerClass
      ? [FieldErrors.invalid('spec.loadBalancerClass', spec.loadBalancerClass, MOVED)]
      : []),
    ...balancerClassErrors(spec),
    ...(hasHealthCheck(spec) && hasHealthCheck(was) && spec.healthCheckNodePort !== was.healthCheckNodePort
      ? [FieldErrors.forbidden('spec.healthCheckNodePort', 'field is immutable')]
      : []),
  ];
}

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
      family === after[index] ? [] : [FieldErrors.invalid(path, printedFamilies(after), MOVED)],
    );
  const addresses = spec.clusterIPs ?? [];
  const isReleased = before.length > after.length;
  const isMoved = before.length > 0 && after.length > 0 && before[0] !== after[0];
  return [
    ...(isReleased && addresses.length === 0
      ? [FieldErrors.invalid(path, printedFamilies(after), 'primary ipFamily can not be unset')]
      : []),
    ...(isMoved ? [FieldErrors.invalid(path, addresses, MOVED)] : []),
    ...(isReleased && after.length === 1 ? releaseErrors(spec, 'ipFamily') : []),
  ];
}

const printedFamilies = (families: readonly string[]): PrintedValue =>
  new PrintedValue(`[]core.IPFamily{${families.map(goQuote).join(', ')}}`);

function releaseErrors({ ipFamilyPolicy }: ServiceSpec, what: string): readonly FieldError[] {
  if (ipFamilyPolicy === 'SingleStack') return [];
  const why = `must be set to 'SingleStack' when releasing the secondary ${what}`;
  return [FieldErrors.invalid('spec.ipFamilyPolicy', ipFamilyPolicy, why)];
}
