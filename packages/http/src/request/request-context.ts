import { decisionOf, forbiddenError, toHtmlEntities } from '@ashlar/authz';
import {
  type AuthorizationAttributes,
  type Authorizer,
  goQuote,
  isPrintable,
  utf8Prefix,
} from '@ashlar/core';
import type { RequestContext } from '@ashlar/registry';
import { PlainTextError } from '../pipeline/plain-text-error.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import type { ResourceRequest } from '../verbs/resource-request.ts';

/** What the authorizer is asked about a request. */
function authorizationAttributes({ user, info }: RequestScope, verb: string): AuthorizationAttributes {
  const labelSelector = info.query.get('labelSelector');
  const fieldSelector = info.query.get('fieldSelector');
  const attributes: AuthorizationAttributes = {
    user,
    verb,
    isResourceRequest: info.isResourceRequest,
    apiGroup: info.apiGroup,
    apiVersion: info.apiVersion,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name,
    path: info.path,
  };
  // most requests select nothing, and are asked about without a copy
  if (!labelSelector && !fieldSelector) return attributes;
  return {
    ...attributes,
    ...(labelSelector && { labelSelector }),
    ...(fieldSelector && { fieldSelector }),
  };
}

/**
 * Asks whether a request may go on.
 * @param verb another one than that of the request
 * @throws StatusError 403; PlainTextError 500 where the authorizers failed and none allowed it (semantics/status#situations)
 */
export async function requireAuthorized(
  authorizer: Authorizer,
  scope: RequestScope,
  verb: string = scope.info.verb,
): Promise<void> {
  const attributes = authorizationAttributes(scope, verb);
  const answer = decisionOf(authorizer, attributes);
  const { decision, reason, error } = answer instanceof Promise ? await answer : answer;
  if (decision === 'allow') return;
  if (!error) throw forbiddenError(attributes, reason ?? '');
  const text = `Internal Server Error: ${goQuote(scope.request.url)}: ${error.message}`;
  throw new PlainTextError(500, `${toHtmlEntities(text)}\n`, {}, error);
}

/** What the registry is told about a request. */
export function requestContext(
  { scope, served, authorizer }: ResourceRequest,
  { dryRun = false, fieldManager = '' }: { readonly dryRun?: boolean; readonly fieldManager?: string } = {},
): RequestContext {
  const { info, user, isLarge, warn, annotate } = scope;
  return {
    user,
    namespace: served.namespaced ? info.namespace : '',
    version: served.version.name,
    dryRun,
    fieldManager: fieldManager || managerOf(scope),
    isLarge,
    warn,
    annotate,
    authorizeCreate: () => requireAuthorized(authorizer, scope, 'create'),
  };
}

/** The user agent up to its first slash stands for a manager that is not named: what can be printed of it, cut to its length. */
function managerOf({ request }: RequestScope): string {
  const agent = request.headers.get('user-agent') ?? '';
  const slash = agent.indexOf('/');
  const printable = [...(slash < 0 ? agent : agent.slice(0, slash))]
    .filter((character) => isPrintable(character))
    .join('');
  return utf8Prefix(printable, MAXIMUM_MANAGER_BYTES);
}

const MAXIMUM_MANAGER_BYTES = 128;
