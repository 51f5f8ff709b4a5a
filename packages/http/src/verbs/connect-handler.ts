import { withoutCredentials } from '@ashlar/authn';
import {
  type ServerRequest,
  type ServerResponse,
  StatusError,
  type UserInfo,
  type Vocabulary,
} from '@ashlar/core';
import type { ServedResource } from '../catalog/served-resource.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';

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

/** Passes a request to the handler of the host. @throws StatusError 501 if it has none */
export function connect(
  { info, request, user }: RequestScope,
  { definition }: ServedResource,
  handler: ConnectHandler | undefined,
  vocabulary: Vocabulary,
): Promise<ServerResponse> {
  const { apiGroup: group, apiVersion: version, resource, subresource, namespace, name, rest } = info;
  if (!handler) {
    const message = `${resource}/${subresource} is not implemented by this server: ${definition.names.plural} are stored here but not run`;
    throw new StatusError({ code: 501, reason: '', message, details: { name, kind: resource } });
  }
  return handler({
    request: withoutCredentials(request, vocabulary),
    ...{ user, group, version, resource, subresource, namespace, name },
    path: rest.join('/'),
  });
}
