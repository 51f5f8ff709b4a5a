import { decisionOf } from '@ashlar/authz';
import {
  type Ambient,
  type ApiObject,
  type AuthorizationAttributes,
  type Authorizer,
  type FieldError,
  FieldErrors,
  groupName,
  PrintedValue,
  StatusError,
  type UserInfo,
} from '@ashlar/core';
import type { RequestContext, ResourceDefinition } from '@ashlar/registry';
import { type ResourceAttributes, selectorErrors, selectorsOf } from './review-selectors.ts';
import {
  localSubjectAccessReviewSchema,
  selfSubjectAccessReviewSchema,
  selfSubjectRulesReviewSchema,
  subjectAccessReviewSchema,
} from './review-shapes.ts';
import { reviewType } from './review-type.ts';

interface AccessReviewSpec {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

interface AccessReview extends ApiObject {
  readonly spec?: AccessReviewSpec;
}

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
  const answer = async (review: AccessReview, user: UserInfo): Promise<ApiObject> => ({
    ...review,
    status: await decide(authorizer, review.spec ?? {}, user),
  });
  return [
    reviewType(ambient, {
      group,
      kind: 'LocalSubjectAccessReview',
      scope: 'Namespaced',
      schema: localSubjectAccessReviewSchema,
      answer(context, question) {
        const review = inNamespace(question, context);
        refuse(accessReviewErrors('LocalSubjectAccessReview', review));
        return answer(review, subjectOf(review.spec ?? {}));
      },
    }),
    reviewType(ambient, {
      group,
      kind: 'SelfSubjectAccessReview',
      schema: selfSubjectAccessReviewSchema,
      answer({ user }, review: AccessReview) {
        refuse(accessReviewErrors('SelfSubjectAccessReview', review));
        return answer(review, user);
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
        return answer(review, subjectOf(review.spec ?? {}));
      },
    }),
  ];
}

/** Returns the errors of a review of a kind; reviews of the rules of the caller have none. */
export function accessReviewErrors(kind: string, review: ApiObject): readonly FieldError[] {
  const { spec = {} } = review as AccessReview;
  switch (kind) {
    case 'LocalSubjectAccessReview':
      return localErrors(review, review.metadata.namespace ?? '');
    case 'SelfSubjectAccessReview':
      return [...specErrors(spec), ...metadataErrors(review, 'must be empty')];
    case 'SubjectAccessReview':
      return [...specErrors(spec, subjectErrors(spec)), ...metadataErrors(review, 'must be empty')];
    default:
      return [];
  }
}

/** The namespace of the path is the default. */
function inNamespace(review: AccessReview, { namespace }: RequestContext): AccessReview {
  return { ...review, metadata: { ...review.metadata, namespace } };
}

/** Errors of what is asked about, with those of who it is in between. */
function specErrors(spec: AccessReviewSpec, subject: readonly FieldError[] = []): readonly FieldError[] {
  const { resourceAttributes } = spec;
  const selectors = resourceAttributes ? selectorErrors(resourceAttributes, 'spec.resourceAttributes') : [];
  return [...attributeErrors(spec), ...subject, ...selectors];
}

function attributeErrors({
  resourceAttributes,
  nonResourceAttributes,
}: AccessReviewSpec): readonly FieldError[] {
  if (resourceAttributes && nonResourceAttributes) {
    const text = 'cannot be specified in combination with resourceAttributes';
    return [FieldErrors.invalid('spec.nonResourceAttributes', nonResourceAttributes, text)];
  }
  if (resourceAttributes || nonResourceAttributes) return [];
  const text = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [FieldErrors.invalid('spec.resourceAttributes', new PrintedValue('"null"'), text)];
}

function subjectErrors({ user = '', groups = [] }: AccessReviewSpec): readonly FieldError[] {
  return user === '' && groups.length === 0
    ? [FieldErrors.invalid('spec.user', '', 'at least one of user or group must be specified')]
    : [];
}

function localErrors(review: AccessReview, namespace: string): readonly FieldError[] {
  const { spec = {} } = review;
  const { resourceAttributes, nonResourceAttributes } = spec;
  const elsewhere = resourceAttributes && (resourceAttributes.namespace ?? '') !== namespace;
  return [
    ...specErrors(spec, subjectErrors(spec)),
    ...metadataErrors(review, 'must be empty except for namespace', 'namespace'),
    ...(elsewhere
      ? [
          FieldErrors.invalid(
            'spec.resourceAttributes.namespace',
            resourceAttributes.namespace ?? '',
            'must match metadata.namespace',
          ),
        ]
      : []),
    ...(nonResourceAttributes
      ? [
          FieldErrors.invalid(
            'spec.nonResourceAttributes',
            nonResourceAttributes,
            'disallowed on this kind of request',
          ),
        ]
      : []),
  ];
}

/** A review has no name. Its field ownership does not matter. */
/** What every create ignores. */
const WIPED: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'managedFields',
  'selfLink',
  'uid',
]);

function metadataErrors({ metadata }: ApiObject, text: string, except?: string): readonly FieldError[] {
  const submitted = Object.entries(metadata).filter(
    ([field, value]) => field !== except && !WIPED.has(field) && value !== null && value !== undefined,
  );
  return submitted.length === 0 ? [] : [FieldErrors.invalid('metadata', metadata, text)];
}

function subjectOf({ user = '', groups = [], uid, extra }: AccessReviewSpec): UserInfo {
  return {
    name: user,
    groups,
    ...(uid && { uid }),
    ...(extra && {
      extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key.toLowerCase(), values])),
    }),
  };
}

interface AccessReviewStatus {
  readonly allowed: boolean;
  readonly denied?: boolean;
  readonly reason?: string;
  readonly evaluationError?: string;
}

async function decide(
  authorizer: Authorizer,
  { resourceAttributes, nonResourceAttributes }: AccessReviewSpec,
  user: UserInfo,
): Promise<AccessReviewStatus> {
  const selectors = resourceAttributes ? selectorsOf(resourceAttributes) : {};
  const { errors: selectorTexts = [], ...selected } = selectors;
  const attributes: AuthorizationAttributes = {
    user,
    verb: resourceAttributes?.verb ?? nonResourceAttributes?.verb ?? '',
    isResourceRequest: resourceAttributes !== undefined,
    apiGroup: resourceAttributes?.group ?? '',
    apiVersion: resourceAttributes?.version ?? '',
    resource: resourceAttributes?.resource ?? '',
    subresource: resourceAttributes?.subresource ?? '',
    namespace: resourceAttributes?.namespace ?? '',
    name: resourceAttributes?.name ?? '',
    path: nonResourceAttributes?.path ?? '',
    ...selected,
  };
  const { decision, reason, error } = await decisionOf(authorizer, attributes);
  const texts = [...(error ? [error.message] : []), ...selectorTexts];
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' && { denied: true }),
    ...(reason && { reason }),
    ...(texts.length > 0 && {
      evaluationError: texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`,
    }),
  };
}

/** @throws StatusError 400 without a namespace */
async function listRules(authorizer: Authorizer, user: UserInfo, review: ApiObject): Promise<ApiObject> {
  const { namespace = '' } = (review.spec ?? {}) as { readonly namespace?: string };
  if (namespace === '') throw StatusError.badRequest('no namespace on request');
  const rules = await authorizer.rules?.(user, namespace);
  const { resourceRules = [], nonResourceRules = [], incomplete = true, errors = [] } = rules ?? {};
  return {
    apiVersion: review.apiVersion,
    kind: review.kind,
    metadata: { creationTimestamp: null },
    spec: {},
    status: {
      resourceRules,
      nonResourceRules,
      incomplete,
      ...(errors.length > 0 && {
        evaluationError: errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`,
      }),
    },
  };
}
