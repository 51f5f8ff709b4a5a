import type { Schema } from '@ashlar/core';
import { kindSchema } from '../types/kind-schema.ts';
import { atomic, boolean, optional, printed, string, type } from '../types/schema-fields.ts';
import { listOf, mapOf, namedTexts, part, textOf, texts } from '../workloads/shape-fields.ts';
import { labelSelectorRequirement } from '../workloads/shapes/shared/label-selector.ts';

// Reviews, which are not stored: identities and permissions (semantics/access#access-reviews; semantics/access#tokenreview, #access-reviews).

const fieldSelectorRequirement = type(
  'apimachinery.pkg.apis.meta.v1.FieldSelectorRequirement',
  {
    key: printed(string(1)),
    operator: printed(textOf(2, 'apimachinery.pkg.apis.meta.v1.FieldSelectorOperator')),
    values: texts(3, atomic),
  },
  { required: ['key', 'operator'] },
);

const resourceAttributes = type('api.authorization.v1.ResourceAttributes', {
  namespace: string(1),
  verb: string(2),
  group: string(3),
  version: string(4),
  resource: string(5),
  subresource: string(6),
  name: string(7),
  fieldSelector: optional(
    part(
      8,
      type('api.authorization.v1.FieldSelectorAttributes', {
        rawSelector: string(1),
        requirements: listOf(2, fieldSelectorRequirement, atomic),
      }),
    ),
  ),
  labelSelector: optional(
    part(
      9,
      type('api.authorization.v1.LabelSelectorAttributes', {
        rawSelector: string(1),
        requirements: listOf(2, labelSelectorRequirement, atomic),
      }),
    ),
  ),
});

const nonResourceAttributes = type('api.authorization.v1.NonResourceAttributes', {
  path: string(1),
  verb: string(2),
});

const attributes = {
  resourceAttributes: optional(part(1, resourceAttributes)),
  nonResourceAttributes: optional(part(2, nonResourceAttributes)),
};

const subjectSpec = type('api.authorization.v1.SubjectAccessReviewSpec', {
  ...attributes,
  user: string(3),
  groups: texts(4, atomic),
  extra: mapOf(5, namedTexts('api.authorization.v1.ExtraValue')),
  uid: string(6),
});

const accessStatus = type(
  'api.authorization.v1.SubjectAccessReviewStatus',
  { allowed: printed(boolean(1)), denied: boolean(4), reason: string(2), evaluationError: string(3) },
  { required: ['allowed'] },
);

const accessReview = (kind: string, description: string, spec: Schema): Schema =>
  kindSchema(
    `api.authorization.v1.${kind}`,
    description,
    { spec: printed(part(2, spec)), status: printed(part(3, accessStatus)) },
    { required: ['spec'] },
  );

/** Schema of `SubjectAccessReview`. */
export const subjectAccessReviewSchema: Schema = accessReview(
  'SubjectAccessReview',
  'Asks whether somebody may do something.',
  subjectSpec,
);

/** Schema of `LocalSubjectAccessReview`. */
export const localSubjectAccessReviewSchema: Schema = accessReview(
  'LocalSubjectAccessReview',
  'Asks whether somebody may do something in a namespace.',
  subjectSpec,
);

/** Schema of `SelfSubjectAccessReview`. */
export const selfSubjectAccessReviewSchema: Schema = accessReview(
  'SelfSubjectAccessReview',
  'Asks whether the caller may do something.',
  type('api.authorization.v1.SelfSubjectAccessReviewSpec', attributes),
);

const rulesStatus = type(
  'api.authorization.v1.SubjectRulesReviewStatus',
  {
    resourceRules: printed(
      listOf(
        1,
        type(
          'api.authorization.v1.ResourceRule',
          {
            verbs: printed(texts(1, atomic)),
            apiGroups: texts(2, atomic),
            resources: texts(3, atomic),
            resourceNames: texts(4, atomic),
          },
          { required: ['verbs'] },
        ),
        atomic,
      ),
    ),
    nonResourceRules: printed(
      listOf(
        2,
        type(
          'api.authorization.v1.NonResourceRule',
          { verbs: printed(texts(1, atomic)), nonResourceURLs: texts(2, atomic) },
          { required: ['verbs'] },
        ),
        atomic,
      ),
    ),
    incomplete: printed(boolean(3)),
    evaluationError: string(4),
  },
  { required: ['resourceRules', 'nonResourceRules', 'incomplete'] },
);

/** Schema of `SelfSubjectRulesReview`. */
export const selfSubjectRulesReviewSchema: Schema = kindSchema(
  'api.authorization.v1.SelfSubjectRulesReview',
  'Asks what the caller may do in a namespace.',
  {
    spec: printed(part(2, type('api.authorization.v1.SelfSubjectRulesReviewSpec', { namespace: string(1) }))),
    status: printed(part(3, rulesStatus)),
  },
  { required: ['spec'] },
);

const userInfo = type('api.authentication.v1.UserInfo', {
  username: string(1),
  uid: string(2),
  groups: texts(3, atomic),
  extra: mapOf(4, namedTexts('api.authentication.v1.ExtraValue')),
});

/** Schema of `SelfSubjectReview`. */
export const selfSubjectReviewSchema: Schema = kindSchema(
  'api.authentication.v1.SelfSubjectReview',
  'Asks who the caller is.',
  {
    status: printed(
      part(2, type('api.authentication.v1.SelfSubjectReviewStatus', { userInfo: part(1, userInfo) })),
    ),
  },
);

/** Schema of `TokenReview`. */
export const tokenReviewSchema: Schema = kindSchema(
  'api.authentication.v1.TokenReview',
  'Asks whose a token is.',
  {
    spec: printed(
      part(
        2,
        type('api.authentication.v1.TokenReviewSpec', { token: string(1), audiences: texts(2, atomic) }),
      ),
    ),
    status: printed(
      part(
        3,
        type('api.authentication.v1.TokenReviewStatus', {
          authenticated: boolean(1),
          user: part(2, userInfo),
          audiences: texts(4, atomic),
          error: string(3),
        }),
      ),
    ),
  },
  { required: ['spec'] },
);
