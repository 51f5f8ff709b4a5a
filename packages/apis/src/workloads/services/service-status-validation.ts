import { dns1123SubdomainErrors, type FieldError, FieldErrors, validateIpAddress } from '@ashlar/core';
import { each, optionalFollows, optionalOneOf } from '../field-rules.ts';
import type { Service } from './service-types.ts';

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
