import { andThen, type MaybePromise, type ServerResponse, StatusError } from '@ashlar/core';
import { compressedResponse } from '../encoding/compressed-response.ts';
import { requireRoutableAccept } from '../encoding/negotiate-response.ts';
import { WatchMetrics } from '../metrics/watch-metrics.ts';
import type { ApiHandlerOptions } from '../pipeline/api-handler-options.ts';
import type { ScopeHandler } from '../pipeline/handler-chain.ts';
import { pathNotFoundInGroup } from '../pipeline/path-not-found.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import { resolvePath } from '../request/path-resolution.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { handleAction } from './action-handler.ts';
import { connect } from './connect-handler.ts';
import { handleDelete, handleDeleteCollection } from './delete-handlers.ts';
import { handlePatch, requireRoutablePatch } from './patch-handler.ts';
import { handleGet, handleList } from './read-handlers.ts';
import type { ResourceRequest } from './resource-request.ts';
import { handleWatch } from './watch-handler.ts';
import { handleCreate, handleUpdate } from './write-handlers.ts';

type ResourceHandler = (request: ResourceRequest) => MaybePromise<ServerResponse>;

const RESOURCE_HANDLERS: Readonly<Record<string, ResourceHandler>> = {
  get: handleGet,
  list: handleList,
  watch: handleWatch,
  create: handleCreate,
  update: handleUpdate,
  patch: handlePatch,
  delete: handleDelete,
  deletecollection: handleDeleteCollection,
};

/** `--min-request-timeout` of a default server (semantics/list-and-watch#watch). */
const MINIMUM_WATCH_SECONDS = 1_800;

/** Creates the handler of requests for resources: resolves the path and calls the handler of the verb. */
export function createResourceHandler(options: ApiHandlerOptions): ScopeHandler {
  const { catalog, ambient, authorizer, metrics } = options;
  const { deletesUnreadable = false, minimumWatchSeconds = MINIMUM_WATCH_SECONDS } = options;
  const watchMetrics = metrics && new WatchMetrics(metrics);
  return (scope) => {
    const { info, request } = scope;
    // the old form of proxies names a verb for the authorizer, and is not served
    if (info.verb === 'proxy') throw pathNotFoundInGroup(catalog, info.apiGroup);
    // versions of custom types are deprecated with all their paths, those of built-in types by kind
    const noteCustom = (parent: ResourceRequest['served']): void => {
      if (parent.routes === 'custom') noteDeprecation(scope, parent);
    };
    const { served, verbs, subresource, action, connection } = resolvePath(
      catalog,
      info,
      request.method,
      noteCustom,
    );
    const handler = RESOURCE_HANDLERS[info.verb];
    // what a proxy is asked for has no verb of its own
    const isPassedOn = connection?.withPath === true && request.method === 'OPTIONS';
    if (!isPassedOn) {
      if (!handler) throw notServed(info, served);
      if (info.verb === 'watch' && !isRead(request.method)) throw StatusError.methodNotAllowed();
      const isNamed = info.name !== '' && !action && !connection;
      requireServed(info, served, verbs, isNamed);
    }
    if (served.version.warning && served.routes !== 'custom') {
      // what a route refuses is not told that it is deprecated
      if (!connection) requireRoute(scope, served);
      noteDeprecation(scope, served);
    }
    scope.types = served.mediaTypes.types;
    if (served.definition.terminating && info.verb === 'create') throw terminating(served);
    const shared = { ambient, authorizer, deletesUnreadable, minimumWatchSeconds, watchMetrics };
    const onError = (error: unknown): void => options.onError?.(error, request);
    const found = { scope, served, subresource, onError, ...shared };
    if (connection) return connect(found, connection, options.connect, catalog);
    const result = action ? handleAction(found, action, catalog) : (handler as ResourceHandler)(found);
    return andThen(result, (response) => compressedResponse(request, response, options));
  };
}

/** Deprecated versions are told to the caller, to audit and to metrics (semantics/lifecycle#deprecation). */
function noteDeprecation(scope: RequestScope, { version, vocabulary }: ResourceRequest['served']): void {
  const { removedRelease = '', warning } = version;
  if (!warning) return;
  scope.warn(warning);
  scope.removedRelease = removedRelease;
  scope.annotate(`${vocabulary.groupDomain}/deprecated`, 'true');
  if (removedRelease !== '') scope.annotate(`${vocabulary.groupDomain}/removed-release`, removedRelease);
}

/** Checks what the routes of built-in types check before all else. @throws StatusError 406, 415 */
function requireRoute(scope: RequestScope, served: ResourceRequest['served']): void {
  const { verb } = scope.info;
  if (verb === 'patch') requireRoutablePatch(scope, served);
  requireRoutableAccept(scope, served, COLLECTION_VERBS.has(verb) ? 'list' : 'object');
}

const COLLECTION_VERBS = new Set(['list', 'watch', 'deletecollection']);

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** @throws StatusError 405, or 400 if the name of an object is missing */
function requireServed(
  info: RequestInfo,
  served: ResourceRequest['served'],
  verbs: readonly string[],
  isNamed: boolean,
): void {
  // custom objects can be posted to the path of any name: the name in the body counts
  const acceptsPost = served.routes === 'custom' && info.subresource === '';
  if (info.verb === 'create' && isNamed && !acceptsPost) throw notServed(info, served);
  // a watch of a built-in type takes the route of its list, and is refused after all that is wrong with it
  const isRouted = info.verb === 'watch' && served.routes === 'built-in' && verbs.includes('list');
  if (!isRouted && !verbs.includes(info.verb)) throw notServed(info, served);
  if (info.name === '' && NAMED_VERBS.has(info.verb)) throw nameMissing(served);
}

const NAMED_VERBS = new Set(['update', 'patch']);

/** Returns the error for a write of one object to the path of a collection. */
function nameMissing({ routes }: ResourceRequest['served']): StatusError {
  return routes === 'built-in'
    ? StatusError.methodNotAllowed()
    : StatusError.badRequest('name must be provided');
}

/**
 * Returns the error for creating objects of a type that is being removed
 * (semantics/lifecycle#definition-conditions).
 */
function terminating({ groupResource }: ResourceRequest['served']): StatusError {
  const { code, reason, details } = StatusError.methodNotSupported(groupResource, 'create');
  const message = 'create not allowed while custom resource definition is terminating';
  return new StatusError({ code, reason, message, ...(details && { details }) });
}

/** Routes of custom types name what the path names, also where a subresource is of another group; an unknown method has no verb. */
function notServed(
  { verb, apiGroup: group, resource }: RequestInfo,
  { routes }: ResourceRequest['served'],
): StatusError {
  return routes === 'built-in'
    ? StatusError.methodNotAllowed()
    : StatusError.methodNotSupported({ group, resource }, verb);
}
