import { withoutCredentials } from '@ashlar/authn';
import {
  type ApiObject,
  andThen,
  type MaybePromise,
  type ServerRequest,
  type ServerResponse,
  StatusError,
  type UserInfo,
  type Vocabulary,
} from '@ashlar/core';
import type { ConnectSubresource } from '@ashlar/registry';
import { requestContext } from '../request/request-context.ts';
import { type ResourceRequest, requireVerb } from './resource-request.ts';

/** A request to a subresource that only the host can handle. */
export interface ConnectRequest {
  /** The request without the credentials of its caller, who is in `user`. */
  readonly request: ServerRequest;
  readonly user: UserInfo;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
  /** The path after the subresource: `a/b` of `proxy/a/b`. */
  readonly path: string;
  /** The options of the connection, such as PodExecOptions, as admission left them; absent if the subresource has none. */
  readonly options?: ApiObject;
}

/** Handles connect requests. A rejection other than a StatusError is a bug of the host. */
export type ConnectHandler = (request: ConnectRequest) => Promise<ServerResponse>;

/**
 * Passes a request to the handler of the host, once admission has admitted it.
 * @throws StatusError 400 if a connection should not be made but tried, that of admission, 404 if there is no handler and no such object,
 * 501 if there is only the object
 */
export function connect(
  found: ResourceRequest,
  connection: ConnectSubresource,
  handler: ConnectHandler | undefined,
  vocabulary: Vocabulary,
): MaybePromise<ServerResponse> {
  const { info, request, user } = found.scope;
  // what is only read, such as logs, ignores the parameter
  if (connection.verbs.includes('create') && info.query.has('dryRun')) {
    throw StatusError.badRequest('dryRun is not supported');
  }
  const { apiGroup: group, apiVersion: version, resource, subresource, namespace, name, rest } = info;
  return andThen(admittedOptions(found, connection), (options) => {
    if (!handler) return refuseConnection(found);
    return handler({
      request: withoutCredentials(request, vocabulary),
      ...{ user, group, version, resource, subresource, namespace, name },
      path: rest.join('/'),
      ...(options && { options }),
    });
  });
}

/** @throws StatusError 400 for invalid options, and that of admission */
function admittedOptions(
  found: ResourceRequest,
  { kind, options }: ConnectSubresource,
): MaybePromise<ApiObject | undefined> {
  const { scope, served } = found;
  const { admitConnection } = served.storage;
  if (!options || !admitConnection) return undefined;
  const { query, apiVersion, name, subresource, rest, path } = scope.info;
  const rests = rest.join('/') + (path.endsWith('/') ? '/' : '');
  const read = { kind, apiVersion, ...options.read(query, rests) } as unknown as ApiObject;
  return admitConnection(requestContext(found), { subresource, name, options: read });
}

function refuseConnection(found: ResourceRequest): MaybePromise<never> {
  const { scope, served } = found;
  const { resource, subresource, name } = scope.info;
  const get = requireVerb(served, 'get');
  return andThen(get(requestContext(found), { name }), () => {
    const message = `${resource}/${subresource} is not implemented by this server: ${served.definition.names.plural} are stored here but not run`;
    throw new StatusError({ code: 501, reason: '', message, details: { name, kind: resource } });
  });
}
