import { type Ambient, type Authorizer, StatusError } from '@ashlar/core';
import type { ResourceStorage, SubresourceDefinition } from '@ashlar/registry';
import type { ServedResource } from '../catalog/served-resource.ts';
import type { WatchMetrics } from '../metrics/watch-metrics.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';

/** An authorized request and the resource that it is for. */
export interface ResourceRequest {
  readonly scope: RequestScope;
  readonly served: ServedResource;
  readonly subresource: SubresourceDefinition | undefined;
  readonly ambient: Ambient;
  readonly authorizer: Authorizer;
  /** Whether objects that cannot be read may be deleted. */
  readonly deletesUnreadable: boolean;
  /** Watches without a time of their own end between this and twice as long. */
  readonly minimumWatchSeconds: number;
  /** Counts the events of watches. */
  readonly watchMetrics: WatchMetrics | undefined;
  /** Called with unexpected errors that no answer has, such as those that end a watch. */
  readonly onError: ((error: unknown) => void) | undefined;
}

/**
 * Returns the implementation of a verb of a resource.
 * @param name of the verb in error messages
 * @throws StatusError 405 if there is none
 */
export function requireVerb<Verb extends keyof ResourceStorage>(
  { storage, groupResource }: ServedResource,
  verb: Verb,
  name: string = verb.toLowerCase(),
): NonNullable<ResourceStorage[Verb]> {
  const implementation = storage[verb];
  if (!implementation) throw StatusError.methodNotSupported(groupResource, name);
  return implementation as NonNullable<ResourceStorage[Verb]>;
}
