import { type FieldError, FieldErrors, type JsonValue, jsonEqual, type Steps } from '@ashlar/core';
import { certificateProblemSteps } from './certificate-bytes.ts';
import type { SigningRequest } from './signing-request-types.ts';

const PATH = 'status.certificate';

/** Whether an update brings another certificate. */
export function changesCertificate({ status }: SigningRequest, stored: SigningRequest): boolean {
  const [certificate, before] = [status?.certificate ?? '', stored.status?.certificate ?? ''];
  return !jsonEqual(certificate as JsonValue, before as JsonValue);
}

/** Errors of a new certificate, unless the stored one is invalid, too. */
export function* certificateErrorsSteps(
  { status }: SigningRequest,
  stored: SigningRequest,
): Steps<readonly FieldError[]> {
  const problem = yield* problemSteps(status?.certificate);
  if (problem === undefined || (yield* problemSteps(stored.status?.certificate)) !== undefined) return [];
  return [FieldErrors.invalid(PATH, '<certificate data>', problem)];
}

function* problemSteps(certificate: string | undefined): Steps<string | undefined> {
  return certificate ? yield* certificateProblemSteps(certificate) : undefined;
}

/** A certificate that is issued is immutable. */
export function certificateChangeErrors({ status }: SigningRequest): readonly FieldError[] {
  return status?.certificate
    ? [FieldErrors.forbidden(PATH, 'updates may not modify existing certificate content')]
    : [];
}
