import { type Ambient, type ApiObject, runInSlices, type Schema } from '@ashlar/core';
import {
  FieldOwnership,
  type RequestContext,
  type ResourceDefinition,
  withCanonicalMetadata,
  withoutSystemMetadata,
} from '@ashlar/registry';
import { builtInType } from '../types/built-in-type.ts';

/** A kind whose objects are answered immediately and not stored. */
export interface ReviewType {
  readonly group: string;
  readonly kind: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly schema: Schema;
  /** Answers a review. @throws StatusError */
  answer(context: RequestContext, question: ApiObject): ApiObject | Promise<ApiObject>;
}

/** A virtual type that supports only `create`. Questions have managed fields, as objects that are stored have. */
export function reviewType(
  ambient: Ambient,
  { group, kind, scope = 'Cluster', schema, answer }: ReviewType,
): ResourceDefinition {
  const definition = builtInType({
    group,
    kind,
    plural: `${kind.toLowerCase()}s`,
    scope,
    version: { schema },
    strategy: {},
    storage: {
      async create(context, question) {
        const namespace = scope === 'Namespaced' ? context.namespace : undefined;
        const asked = neverCreated(withoutSystemMetadata(question, namespace));
        const owned = ownership.updateSteps(context, '', undefined, asked);
        return answer(context, await runInSlices(owned, ambient));
      },
    },
  });
  const ownership = new FieldOwnership(definition, ambient);
  return definition;
}

/** Reviews are answered with the empty time of creation that their kind prints. */
const neverCreated = (review: ApiObject): ApiObject =>
  withCanonicalMetadata(review, { creationTimestamp: null });
