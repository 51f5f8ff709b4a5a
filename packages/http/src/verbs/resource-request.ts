import { type Ambient, type Authorizer, StatusError } from '@ashlar/core';
import type { ResourceStorage, SubresourceDefinition } from '@ashlar/registry';
import type { ServedResource } from '../catalog/served-resource.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';

/** A request that has found its resource and may go on. */
export interface ResourceRequest {
  readonly scope: RequestScope;
  readonly served: ServedResource;
  readonly subresource: SubresourceDefinition | undefined;
  readonly ambient: Ambient;
  readonly authorizer: Authorizer;
}

/**
 * What serves a verb of a resource.
 * @param name of the verb as errors have it
 * @throws StatusError 405 where nothing does
 */
export function requireVerb<Verb extends keyof ResourceStorage>(
  { storage, groupResource }: ServedResource,
  verb: Verb,
  name: string = verb.toLowerCase(),
): NonNullable<ResourceStorage[Verb]> {
  const serve = storage[verb];
  if (!serve) throw StatusError.methodNotSupported(groupResource, name);
  return serve as NonNullable<ResourceStorage[Verb]>;
}
