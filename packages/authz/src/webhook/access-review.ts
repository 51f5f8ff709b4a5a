import { writtenUser } from '@ashlar/codec';
import {
  type AuthorizationAttributes,
  type AuthorizationDecision,
  goQuote,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  UnusableResponseError,
} from '@ashlar/core';
import { reviewSelectors } from './review-selectors.ts';

/** Returns the spec of the SubjectAccessReview of a request (semantics/access#access-reviews). */
export function accessReviewSpec(attributes: AuthorizationAttributes, version: 'v1' | 'v1beta1'): JsonObject {
  const { verb, path, isResourceRequest } = attributes;
  const user = writtenUser(attributes.user);
  const extra = Object.entries(user.extra ?? {});
  return {
    ...(isResourceRequest
      ? { resourceAttributes: resourceAttributes(attributes) }
      : { nonResourceAttributes: withoutEmpty({ path, verb }) }),
    ...withoutEmpty({ user: user.name }),
    ...(user.groups.length > 0 && { [version === 'v1' ? 'groups' : 'group']: [...user.groups] }),
    ...(extra.length > 0 && {
      extra: Object.fromEntries(extra.map(([key, values]): [string, string[]] => [key, [...values]])),
    }),
    ...withoutEmpty({ uid: user.uid ?? '' }),
  };
}

function resourceAttributes(attributes: AuthorizationAttributes): JsonObject {
  const { namespace, verb, apiGroup: group, apiVersion: version, resource, subresource, name } = attributes;
  return {
    ...withoutEmpty({ namespace, verb, group, version, resource, subresource, name }),
    ...reviewSelectors(attributes),
  };
}

const withoutEmpty = (fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

/**
 * Returns the decision of a review's status: `denied` denies, neither field is no opinion, both are an error.
 * @throws UnusableResponseError if the response is not a review of that version, or has fields of other types
 */
export function reviewDecision(result: JsonValue, apiVersion: string): AuthorizationDecision {
  if (!isJsonObject(result) || result.kind !== 'SubjectAccessReview' || result.apiVersion !== apiVersion)
    throw new UnusableResponseError(`the response is not a SubjectAccessReview of ${goQuote(apiVersion)}`);
  const { metadata, spec, status } = result;
  if (![metadata, spec].every((part) => isJsonObject(part ?? {})))
    throw new UnusableResponseError('a part of the response is not an object');
  const { allowed, denied, reason } = statusOf(status);
  const why = reason ? { reason } : {};
  if (denied === true && allowed === true) {
    const error = new Error('webhook subject access review returned both allow and deny response');
    return { decision: 'deny', ...why, error };
  }
  if (denied === true) return { decision: 'deny', ...why };
  return { decision: allowed === true ? 'allow' : 'no-opinion', ...why };
}

const STATUS = {
  allowed: 'boolean',
  denied: 'boolean',
  reason: 'string',
  evaluationError: 'string',
} as const;

interface ReviewStatus {
  readonly allowed?: boolean | null;
  readonly denied?: boolean | null;
  readonly reason?: string | null;
}

/** @throws UnusableResponseError if it is not a valid status of a review */
function statusOf(status: JsonValue | undefined): ReviewStatus {
  if (status === undefined || status === null) return {};
  if (!isJsonObject(status)) throw new UnusableResponseError('the status of the response is not an object');
  for (const [field, type] of Object.entries(STATUS)) {
    const value = status[field] ?? undefined;
    if (value !== undefined && typeof value !== type)
      throw new UnusableResponseError(`the status of the response has no ${type} in ${field}`);
  }
  return status as ReviewStatus;
}
