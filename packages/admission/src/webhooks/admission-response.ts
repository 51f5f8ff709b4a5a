import {
  decodeBase64Steps,
  errorMessage,
  goQuote,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonTypeError,
  type Steps,
  UnusableResponseError,
} from '@ashlar/core';
import type { AdmissionReview } from './admission-review.ts';
import { isNewestReview, readReviewResponse } from './review-response.ts';

/** What a webhook answered. */
export interface AdmissionResponse {
  readonly allowed: boolean;
  readonly status: JsonObject;
  /** Empty if there is none. */
  readonly patch: Uint8Array;
  /** Reviews of v1beta1 have JSON patches only. */
  readonly patchType: string;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/**
 * Reads the response of a webhook to a review, with pauses where it is large.
 * @throws Error that says what is wrong with it: UnusableResponseError for what is no response of that type
 */
export function* readAdmissionResponse(
  result: JsonValue,
  review: AdmissionReview,
  mayPatch: boolean,
): Steps<AdmissionResponse> {
  const isNewest = isNewestReview(review);
  const { response } = readReviewResponse(result, review);
  if (!isJsonObject(response ?? null)) throw new Error('webhook response was absent');
  const read = response as JsonObject;
  const uid = textMember(read, 'uid');
  if (isNewest && uid !== review.request.uid)
    throw new Error(`expected response.uid=${goQuote(String(review.request.uid))}, got ${goQuote(uid)}`);
  const patch = textMember(read, 'patch');
  if (isNewest) requirePatchType(read, patch, mayPatch);
  const allowed = read.allowed ?? false;
  if (typeof allowed !== 'boolean') throw wrongType(allowed, 'bool', `${FIELD}.allowed`);
  return {
    allowed,
    status: isJsonObject(read.status ?? null) ? ((read.status ?? {}) as JsonObject) : {},
    patch: yield* patchOf(mayPatch ? patch : ''),
    patchType: isNewest ? textMember(read, 'patchType') : JSON_PATCH,
    warnings: yield* textsOf(read.warnings ?? [], `${FIELD}.warnings`),
    auditAnnotations: yield* textMapOf(read.auditAnnotations ?? {}, `${FIELD}.auditAnnotations`),
  };
}

/** The type of patches that are applied. */
export const JSON_PATCH = 'JSONPatch';

const FIELD = 'Go struct field AdmissionResponse.response';

function requirePatchType(response: JsonObject, patch: string, mayPatch: boolean): void {
  const { patchType = null } = response;
  if (!mayPatch) {
    if (patch !== '') throw new Error('validating webhook may not return response.patch');
    if (patchType !== null) throw new Error('validating webhook may not return response.patchType');
    return;
  }
  if (patch !== '' && patchType === null)
    throw new Error('webhook returned response.patch but not response.patchType');
  if (patch === '' && patchType !== null)
    throw new Error('webhook returned response.patchType but not response.patch');
}

function* patchOf(base64: string): Steps<Uint8Array> {
  if (base64 === '') return NO_BYTES;
  yield;
  try {
    return yield* decodeBase64Steps(base64);
  } catch (error) {
    throw new UnusableResponseError(errorMessage(error), { cause: error });
  }
}

const NO_BYTES = new Uint8Array(0);
/** Texts that are read between pauses. */
const STRIDE = 16_384;

function textMember(object: JsonObject, name: string): string {
  const value = object[name] ?? '';
  if (typeof value !== 'string') throw wrongType(value, 'string', `${FIELD}.${name}`);
  return value;
}

function* textsOf(value: JsonValue, field: string): Steps<readonly string[]> {
  if (!Array.isArray(value)) throw wrongType(value, '[]string', field);
  yield* requireTexts(value, field);
  return value as readonly string[];
}

function* textMapOf(value: JsonValue, field: string): Steps<Readonly<Record<string, string>>> {
  if (!isJsonObject(value)) throw wrongType(value, 'map[string]string', field);
  yield* requireTexts(Object.values(value), field);
  return value as Readonly<Record<string, string>>;
}

function* requireTexts(values: readonly (JsonValue | undefined)[], field: string): Steps<void> {
  for (const [i, text] of values.entries()) {
    if (typeof text !== 'string') throw wrongType(text ?? null, 'string', field);
    if (i % STRIDE === STRIDE - 1) yield;
  }
}

function wrongType(...wrong: Parameters<typeof jsonTypeError>): Error {
  const error = jsonTypeError(...wrong);
  return new UnusableResponseError(error.message, { cause: error });
}
