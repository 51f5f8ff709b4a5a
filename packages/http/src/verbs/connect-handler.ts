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

/** A request to a subresource that nobody but the host can answer. */
export interface ConnectRequest {
  /** Without the credentials of its caller, whom `user` names. */
  readonly request: ServerRequest;
  readonly user: UserInfo;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty for resources of the whole cluster. */
  readonly namespace: string;
  readonly name: string;
  /** What stands behind the subresource in the path: `proxy/a/b` has `a/b`. */
  readonly path: string;
}

/** Answers such requests. A rejected promise that is no StatusError is a bug of the host. */
export type ConnectHandler = (request: ConnectRequest) => Promise<ServerResponse>;

/** @throws StatusError 501 where the host has no handler */
export function connect(
  { info, request, user }: RequestScope,
  { definition }: ServedResource,
  handler: ConnectHandler | undefined,
  vocabulary: Vocabulary,
): Promise<ServerResponse> {
  const { apiGroup: group, apiVersion: version, resource, subresource, namespace, name, rest } = info;
  if (!handler) {
    const message = `${resource}/${subresource} is not implemented by this server: ${definition.names.plural} are stored here, and nobody runs them`;
    throw new StatusError({ code: 501, reason: '', message, details: { name, kind: resource } });
  }
  return handler({
    request: withoutCredentials(request, vocabulary),
    ...{ user, group, version, resource, subresource, namespace, name },
    path: rest.join('/'),
  });
}
