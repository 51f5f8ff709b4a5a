import { type ApiObject, groupName, type JsonObject, type Schema, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { accessReviewErrors } from '../../reviews/access-review-validation.ts';
import {
  localSubjectAccessReviewSchema,
  selfSubjectAccessReviewSchema,
  selfSubjectRulesReviewSchema,
  subjectAccessReviewSchema,
  tokenReviewSchema,
} from '../../reviews/review-shapes.ts';
import { builtInType } from '../../types/built-in-type.ts';
import { type FieldChanges, revisedSchema } from '../revised-schema.ts';
import { relabelled, type WithdrawnVersion, withdrawnVersion } from '../withdrawn-version.ts';

/** Reviews before v1. They are answered and not stored. */
export function withdrawnReviews(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  const authorization = groupName(vocabulary, 'authorization.');
  const review = (kind: string, schema: Schema, scope: ResourceDefinition['scope'] = 'Cluster') =>
    withdrawnReview(kindOf(authorization, kind, schema, scope), schema);
  return [
    withdrawnReview(
      kindOf(groupName(vocabulary, 'authentication.'), 'TokenReview', tokenReviewSchema, 'Cluster'),
      tokenReviewSchema,
    ),
    review('LocalSubjectAccessReview', localSubjectAccessReviewSchema, 'Namespaced'),
    review('SelfSubjectAccessReview', selfSubjectAccessReviewSchema),
    review('SelfSubjectRulesReview', selfSubjectRulesReviewSchema),
    review('SubjectAccessReview', subjectAccessReviewSchema),
  ];
}

function kindOf(
  group: string,
  kind: string,
  schema: Schema,
  scope: ResourceDefinition['scope'],
): ResourceDefinition {
  return builtInType({
    group,
    kind,
    plural: `${kind.toLowerCase()}s`,
    scope,
    version: { schema },
    strategy: { validate: (object) => accessReviewErrors(kind, object) },
    storage: {},
  });
}

/** Groups of the subject have another name. */
const CHANGES: FieldChanges = {
  'api.authorization.v1.SubjectAccessReviewSpec': ({ groups, ...fields }) => ({
    ...fields,
    ...(groups && { group: groups }),
  }),
};

function withdrawnReview(current: ResourceDefinition, schema: Schema): WithdrawnVersion {
  const version = 'v1beta1';
  const part = current.group.split('.')[0];
  return withdrawnVersion(
    current,
    { version },
    {
      schema: revisedSchema(schema, CHANGES, [`api.${part}.v1.`, `api.${part}.v1beta1.`]),
      toCurrent: (object) => relabelled(`${current.group}/v1`)(renamed(object, 'group', 'groups')),
      fromCurrent: (object) => relabelled(`${current.group}/${version}`)(renamed(object, 'groups', 'group')),
    },
  );
}

function renamed(object: ApiObject, from: string, to: string): ApiObject {
  const { [from]: value, ...spec } = (object.spec ?? {}) as JsonObject;
  return value === undefined ? object : ({ ...object, spec: { ...spec, [to]: value } } as ApiObject);
}
