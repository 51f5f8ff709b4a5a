import type { Clock, ServerResponse } from '@ashlar/core';
import { dumpLevels, dumpQueues, dumpRequests, type FlowControl } from '@ashlar/flow-control';
import type { RequestInfo } from '../request/request-info.ts';

const PREFIX = '/debug/api_priority_and_fairness/dump_';

/** Answers requests for what flow control does now (semantics/requests#flow-control-in-detail); undefined for other paths. */
export function flowDumpResponse(
  control: FlowControl | undefined,
  { path, query }: Pick<RequestInfo, 'path' | 'query'>,
  clock: Clock,
): ServerResponse | undefined {
  if (!control || !path.startsWith(PREFIX)) return undefined;
  const text = dumpOf(control, path.slice(PREFIX.length), {
    clock,
    details: !!query.get('includeRequestDetails'),
  });
  if (text === undefined) return undefined;
  return {
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: new TextEncoder().encode(text),
  };
}

function dumpOf(
  control: FlowControl,
  name: string,
  options: Parameters<typeof dumpRequests>[1],
): string | undefined {
  if (name === 'priority_levels') return dumpLevels(control);
  if (name === 'queues') return dumpQueues(control);
  return name === 'requests' ? dumpRequests(control, options) : undefined;
}
