import { forbiddenError } from '@ashlar/authz';
import type { AuthorizationAttributes, Authorizer } from '@ashlar/core';
import type { RequestContext } from '@ashlar/registry';
import type { RequestScope } from './request-scope.ts';
import type { ServedResource } from './served-resource.ts';

/** What the authorizer is asked about a request. */
export function authorizationAttributes({ user, info }: RequestScope): AuthorizationAttributes {
  const {
    verb,
    isResourceRequest,
    apiGroup,
    apiVersion,
    resource,
    subresource,
    namespace,
    name,
    path,
    query,
  } = info;
  const attributes = {
    user,
    verb,
    isResourceRequest,
    apiGroup,
    apiVersion,
    resource,
    subresource,
    namespace,
    name,
    path,
  };
  const labelSelector = query.get('labelSelector');
  const fieldSelector = query.get('fieldSelector');
  return { ...attributes, ...(labelSelector && { labelSelector }), ...(fieldSelector && { fieldSelector }) };
}

/**
 * Asks whether a request may go on.
 * @throws StatusError 403
 */
export async function requireAuthorized(
  authorizer: Authorizer,
  attributes: AuthorizationAttributes,
): Promise<void> {
  const answer = authorizer.authorize(attributes);
  const { decision, reason, error } = answer instanceof Promise ? await answer : answer;
  if (decision === 'allow') return;
  throw forbiddenError(attributes, reason ?? error?.message ?? '');
}

/** What the registry is told about a request. */
export function requestContext(
  scope: RequestScope,
  served: ServedResource,
  authorizer: Authorizer,
  { dryRun, fieldManager }: { dryRun: boolean; fieldManager: string },
): RequestContext {
  const { info, user, warn, annotate } = scope;
  return {
    user,
    namespace: served.namespaced ? info.namespace : '',
    version: served.version.name,
    dryRun,
    fieldManager: fieldManager || managerOf(scope),
    warn,
    annotate,
    authorizeCreate: () =>
      requireAuthorized(authorizer, { ...authorizationAttributes(scope), verb: 'create' }),
  };
}

/** The user agent up to its first slash stands for a manager that is not named. */
function managerOf({ request }: RequestScope): string {
  const agent = request.headers.get('user-agent') ?? '';
  const slash = agent.indexOf('/');
  return slash < 0 ? agent : agent.slice(0, slash);
}
