import { decisionOf } from '@ashlar/authz';
import {
  type Ambient,
  type ApiObject,
  type Authorizer,
  type FieldError,
  groupName,
  joinedTexts,
  runInSlices,
  StatusError,
  type UserInfo,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { type AccessReview, type AccessReviewSpec, accessReviewErrors } from './access-review-validation.ts';
import { reviewAttributes, subjectOf } from './review-attributes.ts';
import { selectorSteps } from './review-selectors.ts';
import {
  localSubjectAccessReviewSchema,
  selfSubjectAccessReviewSchema,
  selfSubjectRulesReviewSchema,
  subjectAccessReviewSchema,
} from './review-shapes.ts';
import { reviewType } from './review-type.ts';

/**
 * Access reviews (semantics/access#access-reviews): `SubjectAccessReview` and its variants, and the rules of
 * the caller.
 * @param authorizer the one that decides about requests
 */
export function accessReviews(ambient: Ambient, authorizer: Authorizer): readonly ResourceDefinition[] {
  const group = groupName(ambient.vocabulary, 'authorization.');
  const refuse = (errors: readonly FieldError[]): void => {
    if (errors.length > 0) throw StatusError.invalid(group, '', '', errors);
  };
  const result = async (review: AccessReview, user: UserInfo): Promise<ApiObject> => ({
    ...review,
    status: await decide(ambient, authorizer, review.spec ?? {}, user),
  });
  return [
    reviewType(ambient, {
      group,
      kind: 'LocalSubjectAccessReview',
      scope: 'Namespaced',
      schema: localSubjectAccessReviewSchema,
      answer(_context, review: AccessReview) {
        refuse(accessReviewErrors('LocalSubjectAccessReview', review));
        return result(review, subjectOf(review.spec ?? {}));
      },
    }),
    reviewType(ambient, {
      group,
      kind: 'SelfSubjectAccessReview',
      schema: selfSubjectAccessReviewSchema,
      answer({ user }, review: AccessReview) {
        refuse(accessReviewErrors('SelfSubjectAccessReview', review));
        return result(review, user);
      },
    }),
    reviewType(ambient, {
      group,
      kind: 'SelfSubjectRulesReview',
      schema: selfSubjectRulesReviewSchema,
      answer: ({ user }, question) => listRules(authorizer, user, question),
    }),
    reviewType(ambient, {
      group,
      kind: 'SubjectAccessReview',
      schema: subjectAccessReviewSchema,
      answer(_context, review: AccessReview) {
        refuse(accessReviewErrors('SubjectAccessReview', review));
        return result(review, subjectOf(review.spec ?? {}));
      },
    }),
  ];
}

interface AccessReviewStatus {
  readonly allowed: boolean;
  readonly denied?: boolean;
  readonly reason?: string;
  readonly evaluationError?: string;
}

async function decide(
  ambient: Ambient,
  authorizer: Authorizer,
  spec: AccessReviewSpec,
  user: UserInfo,
): Promise<AccessReviewStatus> {
  const { resourceAttributes } = spec;
  const read = resourceAttributes ? runInSlices(selectorSteps(resourceAttributes), ambient) : {};
  const selectors = read instanceof Promise ? await read : read;
  const { errors: selectorTexts = [] } = selectors;
  const attributes = reviewAttributes(spec, user, selectors);
  const { decision, reason, error } = await decisionOf(authorizer, attributes);
  const texts = [...(error ? [error.message] : []), ...selectorTexts];
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' && { denied: true }),
    ...(reason && { reason }),
    ...(texts.length > 0 && { evaluationError: texts.join('; ') }),
  };
}

/** @throws StatusError 400 without a namespace */
async function listRules(authorizer: Authorizer, user: UserInfo, review: ApiObject): Promise<ApiObject> {
  const { namespace = '' } = (review.spec ?? {}) as { readonly namespace?: string };
  if (namespace === '') throw StatusError.badRequest('no namespace on request');
  const rules = await authorizer.rules?.(user, namespace);
  const { resourceRules = [], nonResourceRules = [], incomplete = true, errors = [] } = rules ?? {};
  return {
    kind: review.kind,
    apiVersion: review.apiVersion,
    metadata: { creationTimestamp: null },
    spec: {},
    status: {
      resourceRules,
      nonResourceRules,
      incomplete,
      ...(errors.length > 0 && {
        evaluationError: joinedTexts(errors),
      }),
    },
  };
}
