import {
  type AuthorizationAttributes,
  type AuthorizationDecision,
  goQuote,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  UnusableAnswerError,
} from '@ashlar/core';
import { reviewSelectors } from './review-selectors.ts';

/** The specification of the review that asks about a request (semantics K10). */
export function accessReviewSpec(attributes: AuthorizationAttributes, version: 'v1' | 'v1beta1'): JsonObject {
  const { user, verb, path, isResourceRequest } = attributes;
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
 * What the answer to a review decides: a denial is final, neither is no opinion, both at once are an error.
 * @throws UnusableAnswerError where the answer is no review of that version
 */
export function reviewDecision(answer: JsonValue, apiVersion: string): AuthorizationDecision {
  if (!isJsonObject(answer) || answer.kind !== 'SubjectAccessReview' || answer.apiVersion !== apiVersion)
    throw new UnusableAnswerError(`the answer is no SubjectAccessReview of ${goQuote(apiVersion)}`);
  const { allowed, denied, reason } = isJsonObject(answer.status) ? answer.status : {};
  const why = typeof reason === 'string' && reason !== '' ? { reason } : {};
  if (denied === true && allowed === true) {
    const error = new Error('webhook subject access review returned both allow and deny response');
    return { decision: 'deny', ...why, error };
  }
  if (denied === true) return { decision: 'deny', ...why };
  return { decision: allowed === true ? 'allow' : 'no-opinion', ...why };
}
