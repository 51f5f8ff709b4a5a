import { createProxyHeaderAuthenticator, type ProxyHeaderOptions } from '@ashlar/authn';
import type { Ambient, Authenticator } from '@ashlar/core';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { UsageError } from '../usage-error.ts';
import type { ClientAuthorities } from './certificates/client-authorities.ts';

const AUTHORITIES = 'requestheader-client-ca-file';
const USERNAMES = 'requestheader-username-headers';
const UIDS = 'requestheader-uid-headers';
const DEPENDENT = [
  USERNAMES,
  UIDS,
  'requestheader-group-headers',
  'requestheader-extra-headers-prefix',
  'requestheader-allowed-names',
] as const;
const UID_GATE = 'RemoteRequestHeaderUID';

/**
 * Returns the request header authenticator of an authenticating proxy; undefined without its flags.
 * @throws UsageError
 */
export function proxyAuthenticatorOf(
  flags: ServeFlags,
  ambient: Ambient,
  authorities: ClientAuthorities,
): Authenticator | undefined {
  if (flags[AUTHORITIES] === undefined) {
    const setFlag = DEPENDENT.find((flag) => flags[flag] !== undefined);
    if (setFlag === undefined) return undefined;
    throw new UsageError(`flag --${setFlag} needs --${AUTHORITIES}`);
  }
  const usernameHeaders = flags[USERNAMES];
  if (!usernameHeaders) throw new UsageError(`flag --${AUTHORITIES} needs --${USERNAMES}`);
  if (flags[UIDS] && !flags['feature-gates']?.isEnabled(UID_GATE))
    throw new UsageError(`flag --${UIDS} needs the feature gate ${UID_GATE}`);
  const options: Omit<ProxyHeaderOptions, 'authorities'> = {
    usernameHeaders,
    uidHeaders: flags[UIDS] ?? [],
    groupHeaders: flags['requestheader-group-headers'] ?? [],
    extraHeaderPrefixes: flags['requestheader-extra-headers-prefix'] ?? [],
    allowedNames: flags['requestheader-allowed-names'] ?? [],
  };
  return authorities.authenticator(AUTHORITIES, (certificates) =>
    createProxyHeaderAuthenticator(ambient, { ...options, authorities: certificates }),
  );
}
