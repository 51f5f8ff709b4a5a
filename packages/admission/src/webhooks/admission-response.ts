import { decodeBase64Steps, goQuote, type JsonObject, type JsonValue, type Steps } from '@ashlar/core';
import type { AdmissionReview } from './admission-review.ts';
import { isNewestReview, readReviewSteps, requireDeclaredType } from './review-response.ts';

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
  const read = yield* readReviewSteps(result, review);
  const { response } = read as { readonly response?: DecodedResponse };
  if (!response) throw new Error('webhook response was absent');
  const { uid = '', patch = '', patchType } = response;
  const isNewest = isNewestReview(review);
  if (isNewest && uid !== review.request.uid)
    throw new Error(`expected response.uid=${goQuote(String(review.request.uid))}, got ${goQuote(uid)}`);
  requireDeclaredType(read, review);
  if (isNewest) requirePatchType(patch, patchType, mayPatch);
  return {
    allowed: response.allowed ?? false,
    status: response.status ?? {},
    patch: mayPatch && patch !== '' ? yield* decodeBase64Steps(patch) : NO_BYTES,
    patchType: isNewest ? (patchType ?? '') : JSON_PATCH,
    warnings: response.warnings ?? [],
    auditAnnotations: response.auditAnnotations ?? {},
  };
}

/** A response as its type has it. */
interface DecodedResponse extends Partial<Omit<AdmissionResponse, 'patch'>> {
  readonly uid?: string;
  readonly patch?: string;
}

/** The type of patches that are applied. */
export const JSON_PATCH = 'JSONPatch';

const NO_BYTES = new Uint8Array(0);

function requirePatchType(patch: string, patchType: string | undefined, mayPatch: boolean): void {
  const hasType = patchType !== undefined;
  if (!mayPatch) {
    if (patch !== '') throw new Error('validating webhook may not return response.patch');
    if (hasType) throw new Error('validating webhook may not return response.patchType');
    return;
  }
  if (patch !== '' && !hasType) throw new Error('webhook returned response.patch but not response.patchType');
  if (patch === '' && hasType) throw new Error('webhook returned response.patchType but not response.patch');
  if (patchType === '') throw new Error('webhook returned invalid response.patchType of ""');
}
