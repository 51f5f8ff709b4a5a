import { isImpersonationHeader } from '@ashlar/authn';
import { byteString } from '@ashlar/codec';
import { type HeaderLine, tokenProtocolPrefix, type UserInfo, type Vocabulary } from '@ashlar/core';
import type { ForwardedRequest } from '@ashlar/http';
import { withoutConnectionFields } from './connection-fields.ts';

/** What header fields of forwarded requests depend on. */
export interface ForwardingRules {
  readonly vocabulary: Vocabulary;
  /** Names and prefixes of further header fields in which servers look for identities, in lower case and with hyphens. */
  readonly identityHeaders: readonly string[];
  /** Whether the uid of the user is passed on, too. */
  readonly sendsUid?: boolean | undefined;
}

/**
 * The header of a forwarded request: the identity of the caller, the proxy, and what the caller sent, without fields by which the caller
 * could impersonate another user (semantics/discovery#aggregation-in-detail).
 * @param escapedPath of the target
 */
export function forwardedHeaders(
  { request, user, auditId }: ForwardedRequest,
  origin: URL,
  escapedPath: string,
  rules: ForwardingRules,
): readonly HeaderLine[] {
  const sent = withoutConnectionFields([...request.headers.entries()]);
  const forwarded = sent
    .filter(([name]) => !isReplaced(name, rules))
    .map((line) => withoutToken(line, rules));
  return [
    ['host', origin.host],
    ...forwarded.filter(([name, value]) => name !== 'sec-websocket-protocol' || value !== ''),
    ...forwardedFor(request, sent),
    ...(request.upgrade ? [] : forwardedBy(origin, escapedPath)),
    ...withTrailersOnly(request.headers.all('te')),
    ...(request.upgrade ? upgradeLines(request.upgrade.protocol) : []),
    ['audit-id', auditId],
    ...identityHeaders(user, rules.sendsUid),
  ];
}

/** Fields with the identity of the caller. */
export function identityHeaders(
  { name, uid, groups, extra = {} }: UserInfo,
  sendsUid = false,
): readonly HeaderLine[] {
  return [
    ['x-remote-user', byteString(name)],
    ...(sendsUid && uid !== undefined ? [['x-remote-uid', byteString(uid)] as const] : []),
    ...groups.map((group) => ['x-remote-group', byteString(group)] as const),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => [`x-remote-extra-${escapedKey(key)}`, byteString(value)] as const),
    ),
  ];
}

const REPLACED = new Set([
  'host',
  'authorization',
  'expect',
  'audit-id',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-uri',
]);
const IDENTITY = new Set(['x-remote-user', 'x-remote-uid', 'x-remote-group']);
const EXTRA = 'x-remote-extra-';

function isReplaced(name: string, { identityHeaders }: ForwardingRules): boolean {
  if (REPLACED.has(name) || isImpersonationHeader(name)) return true;
  // some servers do not distinguish hyphens and underscores
  const hyphenated = name.replaceAll('_', '-');
  return (
    IDENTITY.has(hyphenated) ||
    hyphenated.startsWith(EXTRA) ||
    identityHeaders.some((each) => hyphenated.startsWith(each))
  );
}

/** WebSocket protocols may contain the caller's token. */
function withoutToken([name, value]: HeaderLine, { vocabulary }: ForwardingRules): HeaderLine {
  if (name !== 'sec-websocket-protocol') return [name, value];
  const prefix = tokenProtocolPrefix(vocabulary);
  const protocols = value.split(',').map((protocol) => protocol.trim());
  return [name, protocols.filter((protocol) => !protocol.startsWith(prefix)).join(', ')];
}

function forwardedFor(
  { connection }: ForwardedRequest['request'],
  sent: readonly HeaderLine[],
): readonly HeaderLine[] {
  const address = connection.remoteAddress?.replace(/^::ffff:/, '');
  const before = sent.filter(([name]) => name === 'x-forwarded-for').map(([, value]) => value);
  const all = address === undefined || address === '' ? before : [...before, address];
  return all.length === 0 ? [] : [['x-forwarded-for', all.join(', ')]];
}

const forwardedBy = (origin: URL, escapedPath: string): readonly HeaderLine[] => [
  ['x-forwarded-uri', escapedPath],
  ['x-forwarded-host', origin.host],
  ['x-forwarded-proto', origin.protocol.slice(0, -1)],
];

const upgradeLines = (protocol: string): readonly HeaderLine[] => [
  ['connection', 'Upgrade'],
  ['upgrade', protocol],
];

const withTrailersOnly = (codings: readonly string[]): readonly HeaderLine[] =>
  codings.some((line) => line.split(',').some((coding) => coding.trim().toLowerCase() === 'trailers'))
    ? [['te', 'trailers']]
    : [];

/** Percent-encodes what a header name cannot contain. */
function escapedKey(key: string): string {
  return byteString(key).replaceAll(
    /[^!#$&'*+\-.^_`|~0-9a-z]/gi,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
