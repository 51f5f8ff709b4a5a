import type { ServerResponse } from '@ashlar/core';
import { requestDeadline } from '../pipeline/request-deadline.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import { isLongRunning, type RequestInfo } from '../request/request-info.ts';
import type { AggregatedApis, ForwardHandler } from './aggregated-apis.ts';

/** Passes a request on to the server of its version; undefined for versions that are not served elsewhere. */
export function forwardRequest(
  apis: AggregatedApis,
  scope: RequestScope,
  longest: number,
): Promise<ServerResponse> | undefined {
  const handler = handlerOf(apis, scope.info);
  return handler && forwardTo(handler, scope, longest);
}

/** Passes a request on. Its place is free again: a server that does not answer holds none of those of this one. */
export function forwardTo(
  handler: ForwardHandler,
  scope: RequestScope,
  longest: number,
): Promise<ServerResponse> {
  const { request, user, auditId, info } = scope;
  scope.place?.release();
  return handler({
    ...{ request, user, auditId, path: info.path, query: info.query },
    signal: scope.endSignal(),
    timeLimit: isLongRunning(info) ? undefined : requestDeadline(info, longest),
  });
}

function handlerOf(apis: AggregatedApis, info: RequestInfo): ForwardHandler | undefined {
  if (info.isResourceRequest)
    return info.apiGroup === '' ? undefined : apis.handlerOf(info.apiGroup, info.apiVersion);
  const [, group, version] = VERSION_PATH.exec(info.path) ?? [];
  return group === undefined || version === undefined ? undefined : apis.handlerOf(group, version);
}

const VERSION_PATH = /^\/apis\/([^/]+)\/([^/]+)\/?$/;
