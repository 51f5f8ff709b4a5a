import { StatusError } from '@ashlar/core';
import type { AdmissionRequest } from '../admission-request.ts';
import { forbiddenByAdmission } from '../forbidden-by-admission.ts';
import type { PolicyFailure, PolicyResult } from './evaluate-policy.ts';
import type { PolicyNames } from './policy-names.ts';

/** Why a validating policy denies a request. */
export interface PolicyDenial extends Pick<PolicyFailure, 'message' | 'reason'>, PolicyNames {
  readonly expressions?: PolicyResult['expressions'];
}

const CODES: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
};

/** The response to a request that is denied, with the code of the reason. */
export function denialError(
  request: AdmissionRequest,
  { policy, binding, message, reason }: PolicyDenial,
): StatusError {
  const who = `ValidatingAdmissionPolicy '${policy}'${binding === undefined ? '' : ` with binding '${binding}'`}`;
  const why = `${who} denied request: ${message}`;
  const forbidden = forbiddenByAdmission(request, why);
  const details = { ...forbidden.details, causes: [{ message: why }] };
  return new StatusError({
    code: CODES[reason] ?? 422,
    reason: reason as StatusError['reason'],
    message: forbidden.message,
    details,
  });
}
