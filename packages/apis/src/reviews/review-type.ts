import type { ApiObject, Schema } from '@ashlar/core';
import type { RequestContext, ResourceDefinition } from '@ashlar/registry';
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

/** A virtual type that supports only `create`. */
export function reviewType({
  group,
  kind,
  scope = 'Cluster',
  schema,
  answer,
}: ReviewType): ResourceDefinition {
  return builtInType({
    group,
    kind,
    plural: `${kind.toLowerCase()}s`,
    scope,
    version: { schema },
    strategy: {},
    storage: { create: answer },
  });
}
