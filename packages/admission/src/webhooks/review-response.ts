import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';

/** The type of a review that is sent to a webhook. */
interface ReviewType {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Returns the object that a webhook responded to a review.
 * @throws Error if a response to a review of version v1 has another type
 */
export function readReviewResponse(response: JsonValue, review: ReviewType): JsonObject {
  const object: JsonObject = isJsonObject(response) ? response : {};
  const isSame = object.kind === review.kind && object.apiVersion === review.apiVersion;
  if (isNewestReview(review) && !isSame)
    throw new Error(`expected webhook response of ${typeText(review)}, got ${typeText(object)}`);
  return object;
}

/** Whether responses to a review must repeat its type and uid, which those of v1beta1 need not. */
export const isNewestReview = ({ apiVersion }: ReviewType): boolean => apiVersion.endsWith('/v1');

function typeText({ apiVersion, kind }: { readonly apiVersion?: unknown; readonly kind?: unknown }): string {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return `${text(apiVersion)}, Kind=${text(kind)}`;
}
