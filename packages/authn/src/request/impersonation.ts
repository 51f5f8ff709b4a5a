import { byteStringText } from '@ashlar/codec';
import {
  type AuthorizationAttributes,
  CodedError,
  groupName,
  parseServiceAccountName,
  type RequestHeaders,
  type UserInfo,
  type Vocabulary,
} from '@ashlar/core';
import { ANONYMOUS_USER, AUTHENTICATED_GROUP, UNAUTHENTICATED_GROUP } from './authenticated-group.ts';
import { extraFieldKey } from './extra-field-key.ts';

/** An impersonation request: the target user, and the permissions that it requires, in order. */
export interface Impersonation {
  readonly user: UserInfo;
  /** One authorization check for each impersonated user, group, uid and extra value; all must be allowed. */
  readonly checks: readonly AuthorizationAttributes[];
}

/** Headers with groups, an uid or extra fields, but without a user. */
export class ImpersonationWithoutUserError extends CodedError {
  static override readonly code: string = 'ERR_IMPERSONATION_WITHOUT_USER';
  override readonly name: string = 'ImpersonationWithoutUserError';
}

const PREFIX = 'impersonate-';
const USER = 'impersonate-user';
const GROUP = 'impersonate-group';
const UID = 'impersonate-uid';
const EXTRA = 'impersonate-extra-';

/** Headers that the server handles and does not forward. */
export const isImpersonationHeader = (name: string): boolean =>
  name === USER || name === GROUP || name === UID || name.startsWith(EXTRA);

/**
 * Reads the impersonation headers of a request; undefined if there are none (semantics/access#impersonation).
 * @param caller the authenticated user
 * @throws ImpersonationWithoutUserError
 */
export function readImpersonation(
  headers: RequestHeaders,
  caller: UserInfo,
  vocabulary: Vocabulary,
): Impersonation | undefined {
  const requested = readHeaders(headers);
  if (!requested) return undefined;
  if (requested.name === '') {
    const list = listOf(requested, vocabulary);
    throw new ImpersonationWithoutUserError(`requested [${list}] without impersonating a user`);
  }
  return { user: impersonatedUser(requested), checks: checksOf(requested, caller, vocabulary) };
}

/** What is requested besides a user: kind, name, version and key of each, as release 1.32 prints references. */
function listOf({ groups, extra, uid }: ImpersonationHeaders, vocabulary: Vocabulary): string {
  const version = `${groupName(vocabulary, 'authentication.')}/v1`;
  const references = [
    ...groups.map((name) => `{Group  ${name}    }`),
    ...extra.map(([key, value]) => `{UserExtra  ${value}  ${version}  ${key}}`),
    ...(uid === '' ? [] : [`{UID  ${uid}  ${version}  }`]),
  ];
  return references.join(' ');
}

interface ImpersonationHeaders {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid: string;
  /** Keys in lower case, with their values in the order of the headers. */
  readonly extra: readonly (readonly [key: string, value: string])[];
}

function readHeaders(headers: RequestHeaders): ImpersonationHeaders | undefined {
  if (headers.someBegin?.(PREFIX) === false) return undefined;
  let some = false;
  const extra: [string, string][] = [];
  for (const [name, value] of headers.entries()) {
    if (!isImpersonationHeader(name)) continue;
    some = true;
    if (name.startsWith(EXTRA)) extra.push([extraFieldKey(name.slice(EXTRA.length)), byteStringText(value)]);
  }
  if (!some) return undefined;
  const requested = {
    name: byteStringText(headers.get(USER) ?? ''),
    groups: headers.all(GROUP).map(byteStringText),
    uid: byteStringText(headers.get(UID) ?? ''),
    extra,
  };
  // an empty user name is not a request
  return requested.name === '' && requested.groups.length === 0 && requested.uid === '' && extra.length === 0
    ? undefined
    : requested;
}

function impersonatedUser({ name, groups, uid, extra }: ImpersonationHeaders): UserInfo {
  const fields = new Map<string, string[]>();
  for (const [key, value] of extra) {
    const values = fields.get(key);
    if (values) values.push(value);
    else fields.set(key, [value]);
  }
  return {
    name,
    groups: completeGroups(name, groups.length > 0 ? groups : groupsOfAccount(name)),
    ...(uid !== '' && { uid }),
    ...(extra.length > 0 && { extra: Object.fromEntries(fields) }),
  };
}

/** A service account without explicit groups has those of all service accounts. */
function groupsOfAccount(name: string): readonly string[] {
  const account = parseServiceAccountName(name);
  return account ? ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`] : [];
}

/** Adds `system:authenticated` unless the groups already include it or `system:unauthenticated`. */
function completeGroups(name: string, groups: readonly string[]): readonly string[] {
  if (name === ANONYMOUS_USER)
    return groups.includes(UNAUTHENTICATED_GROUP) ? groups : [...groups, UNAUTHENTICATED_GROUP];
  const hasGroup = groups.includes(AUTHENTICATED_GROUP) || groups.includes(UNAUTHENTICATED_GROUP);
  return hasGroup ? groups : [...groups, AUTHENTICATED_GROUP];
}

function checksOf(
  { name, groups, uid, extra }: ImpersonationHeaders,
  caller: UserInfo,
  vocabulary: Vocabulary,
): readonly AuthorizationAttributes[] {
  const account = parseServiceAccountName(name);
  const apiGroup = groupName(vocabulary, 'authentication.');
  const check = (about: Partial<AuthorizationAttributes>): AuthorizationAttributes => ({
    user: caller,
    verb: 'impersonate',
    isResourceRequest: true,
    apiGroup: '',
    apiVersion: 'v1',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
    path: '',
    ...about,
  });
  return [
    check(
      account
        ? { resource: 'serviceaccounts', namespace: account.namespace, name: account.name }
        : { resource: 'users', name },
    ),
    ...groups.map((group) => check({ resource: 'groups', name: group })),
    ...extra.map(([key, value]) =>
      check({ apiGroup, resource: 'userextras', subresource: key, name: value }),
    ),
    ...(uid === '' ? [] : [check({ apiGroup, resource: 'uids', name: uid })]),
  ];
}
