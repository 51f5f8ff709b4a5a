import { goQuote } from '@ashlar/core';
import type { LoggedEvent } from './logged-event.ts';

/** Returns an event as the format `legacy` writes it: a line of quoted values, without its end (semantics/requests#audit). */
export function legacyLine(event: LoggedEvent): string {
  const { user, impersonatedUser: as, responseStatus } = event;
  const values = {
    id: event.auditID,
    stage: event.stage,
    ip: event.sourceIPs?.[0] ?? NONE,
    method: event.verb,
    user: user.username || NONE,
    groups: listed(user.groups) ?? NONE,
    as: as?.username || '<self>',
    asgroups: listed(as?.groups) ?? '<lookup>',
    'user-agent': event.userAgent ?? '',
    namespace: event.objectRef?.namespace ?? NONE,
    uri: event.requestURI,
    response: responseStatus ? String(responseStatus.code ?? 0) : '<deferred>',
  };
  const quoted = Object.entries(values).map(([name, value]) => `${name}=${goQuote(value)}`);
  return `${event.requestReceivedTimestamp} AUDIT: ${quoted.join(' ')}`;
}

const NONE = '<none>';

function listed(groups: readonly string[] | undefined): string | undefined {
  return groups && groups.length > 0 ? groups.map(goQuote).join(',') : undefined;
}
