import type { AuditAttributes, LoggedObject, LoggedUser } from '@ashlar/audit';
import { type ServerRequest, type UserInfo, utf8Prefix } from '@ashlar/core';
import type { RequestInfo } from '../request/request-info.ts';

/** What the metadata of a submitted object says of the object that a request is for. */
export type SubmittedReference = Pick<LoggedObject, 'namespace' | 'name' | 'uid' | 'resourceVersion'>;

/** Returns the attributes by which a policy decides. */
export function auditAttributes(info: RequestInfo, user: UserInfo): AuditAttributes {
  const { verb, isResourceRequest, apiGroup, resource, subresource, namespace, name, path } = info;
  return { user, verb, isResourceRequest, apiGroup, resource, subresource, namespace, name, path };
}

/** Returns a user as events name it; empty members are absent. */
export function loggedUser({ name, uid, groups, extra = {} }: UserInfo): LoggedUser {
  return {
    ...(name && { username: name }),
    ...(uid && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/**
 * Returns the object that a request is for; undefined if it is for none.
 * @param submitted completes what the path does not say
 */
export function loggedObject(
  info: RequestInfo,
  submitted: SubmittedReference | undefined,
): LoggedObject | undefined {
  if (!info.isResourceRequest) return undefined;
  const { resource, apiGroup, apiVersion, subresource } = info;
  const { uid, resourceVersion } = submitted ?? {};
  const members = {
    resource,
    namespace: info.namespace || submitted?.namespace,
    name: info.name || submitted?.name,
    ...{ uid, apiGroup, apiVersion, resourceVersion, subresource },
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value));
}

const MAXIMUM_AGENT_BYTES = 1024;

/** Returns the program of the caller, cut if it is long; undefined if it has no name. */
export function loggedAgent({ headers }: ServerRequest): string | undefined {
  const agent = headers.get('user-agent');
  if (!agent) return undefined;
  const start = utf8Prefix(agent, MAXIMUM_AGENT_BYTES);
  return start.length < agent.length ? `${start}...TRUNCATED` : agent;
}
