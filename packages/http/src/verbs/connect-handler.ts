import { withoutCredentials } from '@ashlar/authn';
import {
  andThen,
  type MaybePromise,
  type ServerRequest,
  type ServerResponse,
  StatusError,
  type UserInfo,
  type Vocabulary,
} from '@ashlar/core';
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
}

/** Handles connect requests. A rejection other than a StatusError is a bug of the host. */
export type ConnectHandler = (request: ConnectRequest) => Promise<ServerResponse>;

/**
 * Passes a request to the handler of the host.
 * @throws StatusError 404 if there is no handler and no such object, 501 if there is only the object
 */
export function connect(
  found: ResourceRequest,
  handler: ConnectHandler | undefined,
  vocabulary: Vocabulary,
): MaybePromise<ServerResponse> {
  const { info, request, user } = found.scope;
  const { apiGroup: group, apiVersion: version, resource, subresource, namespace, name, rest } = info;
  if (!handler) return refuseConnection(found);
  return handler({
    request: withoutCredentials(request, vocabulary),
    ...{ user, group, version, resource, subresource, namespace, name },
    path: rest.join('/'),
  });
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
