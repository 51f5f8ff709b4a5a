import { choiceErrors, type FieldError, FieldErrors, ParseError, type Steps } from '@ashlar/core';
import { each, NO_ERRORS } from '../field-rules.ts';
import { CERTIFICATE_USAGES } from '../shapes/shared/enumerations.ts';
import { readCertificateRequestSteps } from './certificate-bytes.ts';
import { signerNameErrorsSteps } from './signer-name.ts';
import type { SigningRequest } from './signing-request-types.ts';

const LEAST_SECONDS = 600;

/** Why the bytes of a new request are invalid (RFC 2986). */
export function* bytesErrorsSteps({ spec: { request } = {} }: SigningRequest): Steps<readonly FieldError[]> {
  try {
    yield* readCertificateRequestSteps(request ?? '');
    return [];
  } catch (error) {
    if (ParseError.is(error)) return [FieldErrors.invalid('spec.request', request ?? null, error.message)];
    throw error;
  }
}

/**
 * Errors of a certificate signing request (semantics/access#certificate-signing-requests) besides those of
 * its bytes, which are immutable.
 */
export function* requestErrorsSteps(
  { spec = {} }: SigningRequest,
  legacySigner: string,
): Steps<readonly FieldError[]> {
  const { usages = [], signerName = '', expirationSeconds: seconds } = spec;
  const seen = new Set<string>();
  return [
    ...(usages.length === 0 ? [FieldErrors.required('spec.usages')] : []),
    ...each('spec.usages', usages, (usage, path) => choiceErrors(path, usage, CERTIFICATE_USAGES)),
    ...each('spec.usages', usages, (usage, path) => {
      const isRepeated = seen.has(usage);
      seen.add(usage);
      return isRepeated ? [FieldErrors.duplicate(path, usage)] : NO_ERRORS;
    }),
    ...(yield* signerErrorsSteps(signerName, legacySigner)),
    ...(seconds !== undefined && seconds < LEAST_SECONDS
      ? [
          FieldErrors.invalid(
            'spec.expirationSeconds',
            seconds,
            'may not specify a duration less than 600 seconds (10 minutes)',
          ),
        ]
      : []),
  ];
}

function* signerErrorsSteps(name: string, legacySigner: string): Steps<readonly FieldError[]> {
  const path = 'spec.signerName';
  if (name === '') return [FieldErrors.required(path)];
  if (name === legacySigner)
    return [FieldErrors.invalid(path, name, 'the legacy signerName is not allowed via this API version')];
  return yield* signerNameErrorsSteps(path, name);
}
