import type { AuthorizationAttributes, UserInfo } from '@ashlar/core';
import type { AccessReviewSpec } from './access-review-validation.ts';
import type { ReviewSelectors } from './review-selectors.ts';

/** The user that a review is about. */
export function subjectOf({ user = '', groups = [], uid, extra }: AccessReviewSpec): UserInfo {
  return { name: user, groups, ...(uid && { uid }), ...(extra && { extra }) };
}

/** What a review asks an authorizer about; without a version, all of them (semantics/access#access-reviews). */
export function reviewAttributes(
  { resourceAttributes, nonResourceAttributes }: AccessReviewSpec,
  user: UserInfo,
  { fieldSelector, labelSelector }: ReviewSelectors,
): AuthorizationAttributes {
  const { verb = '', path = '' } = nonResourceAttributes ?? {};
  const about = resourceAttributes ?? {};
  return {
    user,
    verb: resourceAttributes ? (about.verb ?? '') : verb,
    isResourceRequest: resourceAttributes !== undefined,
    apiGroup: about.group ?? '',
    apiVersion: resourceAttributes ? about.version || '*' : '',
    resource: about.resource ?? '',
    subresource: about.subresource ?? '',
    namespace: about.namespace ?? '',
    name: about.name ?? '',
    path,
    ...(fieldSelector !== undefined && { fieldSelector }),
    ...(labelSelector !== undefined && { labelSelector }),
  };
}
