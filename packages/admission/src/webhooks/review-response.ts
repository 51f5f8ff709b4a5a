import { bodyKind } from '@ashlar/codec';
import {
  errorMessage,
  goQuote,
  type JsonObject,
  type JsonValue,
  parseApiVersion,
  type Steps,
  UnusableResponseError,
} from '@ashlar/core';
import { REVIEW_TYPES } from './review-types.ts';

/** The type of a review that is sent to a webhook. */
interface ReviewType {
  readonly apiVersion: string;
  readonly kind: keyof typeof REVIEW_TYPES;
}

/**
 * Decodes what a webhook responded to a review, with pauses: null is absent, unknown fields are dropped. What declares no type is taken for
 * a review.
 * @throws UnusableResponseError if it is of another type, or has a value of the wrong type
 */
export function* readReviewSteps(response: JsonValue, review: ReviewType): Steps<JsonObject> {
  try {
    requireType(bodyKind(response), review);
    return yield* REVIEW_TYPES[review.kind].decodeSteps(response ?? {}, () => undefined);
  } catch (error) {
    throw new UnusableResponseError(errorMessage(error), { cause: error });
  }
}

/** @throws Error unless a review that was read has the type of that which was sent; one of v1beta1 may have none */
export function requireDeclaredType(read: JsonObject, review: ReviewType): void {
  const isSame = read.kind === review.kind && read.apiVersion === review.apiVersion;
  if (isNewestReview(review) && !isSame)
    throw new Error(`expected webhook response of ${typeText(review)}, got ${typeText(read)}`);
}

/** Whether responses to a review must repeat its type and uid, which those of v1beta1 need not. */
export const isNewestReview = ({ apiVersion }: ReviewType): boolean => apiVersion.endsWith('/v1');

type DeclaredType = Readonly<Record<'apiVersion' | 'kind', string>>;

function requireType(declared: DeclaredType, review: ReviewType): void {
  const kind = declared.kind || review.kind;
  const apiVersion = declared.apiVersion || review.apiVersion;
  if (kind === review.kind && apiVersion === review.apiVersion) return;
  if (!isKnown({ kind, apiVersion }, review))
    throw new Error(
      `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:100"`,
    );
  const found = `${versionOf(apiVersion)}.${kind}`;
  const expected = `${versionOf(review.apiVersion)}.${review.kind}`;
  throw new Error(`converting (${found}) to (${expected}): unknown conversion`);
}

/** Whether a response can be of a type: a status, or a review of the other version. */
function isKnown({ kind, apiVersion }: DeclaredType, review: ReviewType): boolean {
  if (kind === 'Status' && apiVersion === 'v1') return true;
  const group = review.apiVersion.slice(0, review.apiVersion.indexOf('/'));
  return kind === review.kind && (apiVersion === `${group}/v1` || apiVersion === `${group}/v1beta1`);
}

const versionOf = (apiVersion: string): string => parseApiVersion(apiVersion)?.version ?? '';

function typeText({ apiVersion, kind }: { readonly apiVersion?: unknown; readonly kind?: unknown }): string {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const version = text(apiVersion);
  return `${version.includes('/') ? version : `/${version}`}, Kind=${text(kind)}`;
}
