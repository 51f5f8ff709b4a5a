import {
  choiceErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  parseIpAddress,
  validateIpAddress,
} from '@ashlar/core';
import { each, optionalFollows } from '../field-rules.ts';
import type { LoadBalancerIngress, Service } from './service-types.ts';

/** Errors of the status: only a load balancer has addresses. */
export function serviceStatusErrors({ spec = {}, status }: Service): readonly FieldError[] {
  const path = 'status.loadBalancer.ingress';
  const ingress = status?.loadBalancer?.ingress ?? [];
  if (ingress.length > 0 && spec.type !== 'LoadBalancer')
    return [FieldErrors.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  return each(path, ingress, ({ ip, hostname, ipMode }, at) => [
    ...(ip ? validateIpAddress(`${at}.ip`, ip) : []),
    ...modeErrors(ip, ipMode, `${at}.ipMode`),
    ...hostnameErrors(hostname, `${at}.hostname`),
  ]);
}

/** Addresses of load balancers have a mode; one is filled in only where the written service is of this type. */
function modeErrors(ip: string | undefined, mode: string | undefined, path: string): readonly FieldError[] {
  if (ip && mode === undefined) return [FieldErrors.required(path, 'must be specified when `ip` is set')];
  if (!ip && mode !== undefined)
    return [FieldErrors.forbidden(path, 'may not be specified when `ip` is not set')];
  return choiceErrors(path, mode, ['Proxy', 'VIP']);
}

/** Errors of the addresses at which an ingress is reached. */
export function ingressStatusErrors(
  ingress: readonly LoadBalancerIngress[] | undefined,
): readonly FieldError[] {
  return each('status.loadBalancer.ingress', ingress, ({ ip, hostname }, at) => [
    ...(ip ? validateIpAddress(`${at}.ip`, ip) : []),
    ...hostnameErrors(hostname, `${at}.hostname`),
  ]);
}

const hostnameErrors = (hostname: string | undefined, path: string): readonly FieldError[] => [
  ...optionalFollows(path, hostname, dns1123SubdomainErrors),
  ...(hostname && parseIpAddress(hostname)
    ? [FieldErrors.invalid(path, hostname, 'must be a DNS name, not an IP address')]
    : []),
];
