import { dns1123SubdomainErrors, type FieldError, FieldErrors, type Steps } from '@ashlar/core';
import type { PodSpec, PodStatus } from '../../core/pod-types.ts';
import { eachSteps, follows, NO_ERRORS } from '../../field-rules.ts';

const NO_CLAIM = 'must match the name of an entry in `spec.resourceClaims`';

/** Errors of which resource claims were made for a pod. It pauses: they may be many. */
export function* claimStatusesErrorsSteps(
  { resourceClaimStatuses }: PodStatus,
  { resourceClaims }: PodSpec,
): Steps<readonly FieldError[]> {
  const claims = new Set((resourceClaims ?? []).map(({ name = '' }) => name));
  const seen = new Set<string>();
  return yield* eachSteps('status.resourceClaimStatuses', resourceClaimStatuses, (status, at) => {
    const { name = '', resourceClaimName } = status;
    const isRepeated = seen.has(name);
    seen.add(name);
    return [
      ...(claims.has(name) ? NO_ERRORS : [FieldErrors.invalid(`${at}.name`, name, NO_CLAIM)]),
      ...(isRepeated ? [FieldErrors.duplicate(`${at}.name`, name)] : NO_ERRORS),
      ...(resourceClaimName === undefined
        ? NO_ERRORS
        : follows(`${at}.name`, resourceClaimName, dns1123SubdomainErrors)),
    ];
  });
}
