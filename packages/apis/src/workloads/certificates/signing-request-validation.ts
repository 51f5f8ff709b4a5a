import {
  choiceErrors,
  type FieldError,
  FieldErrors,
  type JsonValue,
  jsonEqual,
  ParseError,
  requiredChoiceErrors,
  type Steps,
} from '@ashlar/core';
import { each } from '../field-rules.ts';
import { CERTIFICATE_USAGES } from '../shapes/shared/enumerations.ts';
import { certificateProblemSteps, readCertificateRequestSteps } from './certificate-bytes.ts';
import { signerNameErrorsSteps } from './signer-name.ts';
import type { RequestCondition, SigningRequest } from './signing-request-types.ts';

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
    ...each('spec.usages', usages, (usage, path) => {
      const isRepeated = seen.has(usage);
      seen.add(usage);
      return [
        ...choiceErrors(path, usage, CERTIFICATE_USAGES),
        ...(isRepeated ? [FieldErrors.duplicate(path, usage)] : []),
      ];
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

/** Errors of submitted conditions; `added` are those that the endpoint may not add. */
export function conditionErrors(
  { status = {} }: SigningRequest,
  stored: SigningRequest,
  forbidden: readonly string[],
): readonly FieldError[] {
  const conditions = status.conditions ?? [];
  const before = stored.status?.conditions ?? [];
  const has = (list: readonly RequestCondition[], conditionType: string): boolean =>
    list.some(({ type }) => type === conditionType);
  const path = 'status.conditions';
  return [
    ...each(path, conditions, conditionShapeErrors),
    ...exclusionErrors(conditions),
    ...['Approved', 'Denied', 'Failed'].flatMap((type) =>
      has(before, type) && !has(conditions, type)
        ? [FieldErrors.forbidden(path, `updates may not remove a condition of type "${type}"`)]
        : [],
    ),
    ...forbidden.flatMap((type) =>
      has(conditions, type) && !has(before, type)
        ? [FieldErrors.forbidden(path, `updates may not add a condition of type "${type}"`)]
        : [],
    ),
  ];
}

function conditionShapeErrors({ type, status }: RequestCondition, path: string): readonly FieldError[] {
  const isFinal = type === 'Approved' || type === 'Denied' || type === 'Failed';
  return [
    ...(type ? [] : [FieldErrors.required(`${path}.type`)]),
    ...requiredChoiceErrors(`${path}.status`, status, isFinal ? ['True'] : ['False', 'True', 'Unknown']),
  ];
}

function exclusionErrors(conditions: readonly RequestCondition[]): readonly FieldError[] {
  const why = 'Approved and Denied conditions are mutually exclusive';
  const first = (wanted: string): number => conditions.findIndex(({ type }) => type === wanted);
  const [approved, denied] = [first('Approved'), first('Denied')];
  const index = approved < 0 || denied < 0 ? -1 : Math.max(approved, denied);
  const found = conditions[index];
  return found ? [FieldErrors.invalid(`status.conditions[${index}].type`, found.type, why)] : [];
}

/** Errors of an issued certificate: it must be valid, and is immutable. */
export function* certificateErrorsSteps(
  { status }: SigningRequest,
  stored: SigningRequest,
): Steps<readonly FieldError[]> {
  const path = 'status.certificate';
  const [certificate, before] = [status?.certificate, stored.status?.certificate];
  if (jsonEqual((certificate ?? '') as JsonValue, before ?? '')) return [];
  const problem = certificate ? yield* certificateProblemSteps(certificate) : undefined;
  return [
    ...(problem === undefined ? [] : [FieldErrors.invalid(path, '<certificate data>', problem)]),
    ...(before ? [FieldErrors.forbidden(path, 'updates may not modify existing certificate content')] : []),
  ];
}
