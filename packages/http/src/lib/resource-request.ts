import type { Ambient, Authorizer } from '@ashlar/core';
import type { SubresourceDefinition } from '@ashlar/registry';
import type { RequestScope } from './request-scope.ts';
import type { ServedResource } from './served-resource.ts';

/** A request that has found its resource and may go on. */
export interface ResourceRequest {
  readonly scope: RequestScope;
  readonly served: ServedResource;
  readonly subresource: SubresourceDefinition | undefined;
  readonly ambient: Ambient;
  readonly authorizer: Authorizer;
}
