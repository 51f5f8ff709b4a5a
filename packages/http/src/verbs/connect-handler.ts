import { withoutCredentials } from '@ashlar/authn';
import {
  type ApiObject,
  andThen,
  type MaybePromise,
  type ServerRequest,
  type ServerResponse,
  StatusError,
  type UserInfo,
} from '@ashlar/core';
import { type ConnectionTarget, type ConnectSubresource, objectOf, type ReadTarget } from '@ashlar/registry';
import type { ApiCatalog } from '../catalog/api-catalog.ts';
import { requireTextAccept } from '../encoding/negotiate-response.ts';
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
 * @throws StatusError 400 if a connection should not be made but tried, that of its parameters, 406, that of admission, 404 if there is no
 * handler and no such object, 501 if there is only the object
 */
export function connect(
  found: ResourceRequest,
  connection: ConnectSubresource,
  handler: ConnectHandler | undefined,
  catalog: ApiCatalog,
): MaybePromise<ServerResponse> {
  const { info, request, user } = found.scope;
  // what has no options is read as text
  if (!connection.options) requireTextAccept(found.scope, found.served);
  // what is only read, such as logs, ignores the parameter
  if (connection.verbs.includes('create') && info.query.has('dryRun')) {
    throw StatusError.badRequest('dryRun is not supported');
  }
  const { apiGroup: group, apiVersion: version, resource, subresource, namespace, name, rest } = info;
  connection.requireParameters?.(info.query, name);
  return andThen(admittedOptions(found, connection), (options) => {
    if (!handler) return refuseConnection(found, connection, catalog);
    return handler({
      request: withoutCredentials(request, catalog.vocabulary),
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

/** Looks for what is to be connected to, and refuses if it is there. */
async function refuseConnection(
  found: ResourceRequest,
  { target = objectItself }: ConnectSubresource,
  catalog: ApiCatalog,
): Promise<ServerResponse> {
  const { scope, served } = found;
  const { resource, subresource, name, query, apiGroup } = scope.info;
  const read: ReadTarget = async (of, plural) => {
    const type = plural === undefined ? served : catalog.find(apiGroup, served.version.name, plural);
    try {
      return objectOf(await requireVerb(type ?? served, 'get')(requestContext(found), { name: of }));
    } catch (error) {
      throw StatusError.is(error, 'NotFound') ? StatusError.notFound(served.groupResource, of) : error;
    }
  };
  if ((await target(name, read, query)) === 'nothing yet') return { status: 204, headers: {} };
  const message = `${resource}/${subresource} is not implemented by this server: ${served.definition.names.plural} are stored here but not run`;
  throw new StatusError({ code: 501, reason: '', message, details: { name, kind: resource } });
}

const objectItself: ConnectionTarget = async (name, read) => {
  await read(name);
  return undefined;
};
