import type { UserInfo } from '@ashlar/core';
import type { RequestScope } from './request-scope.ts';

/** What is known of a request when it is answered; a watch is answered when it begins. */
export interface AuditEvent {
  readonly auditId: string;
  /** `create`, `get`, `watch`; of other requests than those for resources the method in lower case. */
  readonly verb: string;
  /** Path and query as they were asked for. */
  readonly requestUri: string;
  /** The user for whom it was done; the name is empty if nobody was authenticated. */
  readonly user: UserInfo;
  /** The status code of the response. */
  readonly code: number;
  /** What parts of the server say about it: `<vendor>/deprecated`, and what admission adds. */
  readonly annotations: ReadonlyMap<string, string>;
}

/** Returns the event of a request that was answered. */
export function auditEvent(scope: RequestScope, code: number): AuditEvent {
  const { auditId, info, request, user, annotations } = scope;
  return { auditId, verb: info.verb, requestUri: request.url, user, code, annotations };
}
