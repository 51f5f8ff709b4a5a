import { bodyKind } from '@ashlar/codec';
import {
  errorMessage,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  UnusableResponseError,
} from '@ashlar/core';

/** The type of a review that is sent to a webhook. */
interface ReviewType {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Returns the object that a webhook responded to a review.
 * @throws UnusableResponseError if it can declare no type; Error if a response to a review of version v1 has another one
 */
export function readReviewResponse(response: JsonValue, review: ReviewType): JsonObject {
  requireKind(response);
  const object: JsonObject = isJsonObject(response) ? response : {};
  const isSame = object.kind === review.kind && object.apiVersion === review.apiVersion;
  if (isNewestReview(review) && !isSame)
    throw new Error(`expected webhook response of ${typeText(review)}, got ${typeText(object)}`);
  return object;
}

function requireKind(response: JsonValue): void {
  try {
    bodyKind(response);
  } catch (error) {
    throw new UnusableResponseError(errorMessage(error), { cause: error });
  }
}

/** Whether responses to a review must repeat its type and uid, which those of v1beta1 need not. */
export const isNewestReview = ({ apiVersion }: ReviewType): boolean => apiVersion.endsWith('/v1');

function typeText({ apiVersion, kind }: { readonly apiVersion?: unknown; readonly kind?: unknown }): string {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const version = text(apiVersion);
  return `${version.includes('/') ? version : `/${version}`}, Kind=${text(kind)}`;
}
