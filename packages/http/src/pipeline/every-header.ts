import type { ServerResponse } from '@ashlar/core';
import type { RequestScope } from './request-scope.ts';

/** Adds the headers that every response has (semantics/status#headers). */
export function withEveryHeader(
  response: ServerResponse,
  { auditId, warnings, flowClass }: RequestScope,
  more: ServerResponse['headers'] | undefined,
): ServerResponse {
  // what follows is another protocol, and its header the other server's
  if (response.switchProtocols) return response;
  const { status, headers, body, upgrade } = response;
  const all: Record<string, string | readonly string[]> = {
    'audit-id': auditId,
    'cache-control': 'no-cache, private',
  };
  if (flowClass) addHeaders(all, flowClass.headers);
  if (more) addHeaders(all, more);
  addHeaders(all, headers);
  if (warnings.length > 0) all.warning = [...[headers.warning ?? []].flat(), ...warnings];
  return { status, headers: all, body, upgrade };
}

/** Costs less than spreading several objects into one. */
function addHeaders(all: Record<string, string | readonly string[]>, more: ServerResponse['headers']): void {
  for (const name in more) all[name] = more[name] as string | readonly string[];
}
