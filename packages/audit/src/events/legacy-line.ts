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

/** Groups that are listed: a line is written in one piece. */
const LISTED_GROUPS = 1000;

function listed(groups: readonly string[] | undefined): string | undefined {
  if (!groups || groups.length === 0) return undefined;
  const text = groups.slice(0, LISTED_GROUPS).map(goQuote).join(',');
  return groups.length > LISTED_GROUPS ? `${text},...TRUNCATED` : text;
}
