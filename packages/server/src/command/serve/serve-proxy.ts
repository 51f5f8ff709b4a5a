import { createProxyHeaderAuthenticator, type ProxyHeaderOptions } from '@ashlar/authn';
import type { Ambient, Authenticator } from '@ashlar/core';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { readTextFile } from '../read-text-file.ts';
import { UsageError } from '../usage-error.ts';
import { certificatesIn } from './certificates-in.ts';

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
export function proxyAuthenticatorOf(flags: ServeFlags, ambient: Ambient): Authenticator | undefined {
  const file = flags[AUTHORITIES];
  if (file === undefined) {
    const setFlag = DEPENDENT.find((flag) => flags[flag] !== undefined);
    if (setFlag === undefined) return undefined;
    throw new UsageError(`flag --${setFlag} needs --${AUTHORITIES}`);
  }
  const usernameHeaders = flags[USERNAMES];
  if (!usernameHeaders) throw new UsageError(`flag --${AUTHORITIES} needs --${USERNAMES}`);
  if (flags[UIDS] && !flags['feature-gates']?.isEnabled(UID_GATE))
    throw new UsageError(`flag --${UIDS} needs the feature gate ${UID_GATE}`);
  const options: ProxyHeaderOptions = {
    authorities: certificatesIn(AUTHORITIES, file, readTextFile(AUTHORITIES, file)),
    usernameHeaders,
    uidHeaders: flags[UIDS] ?? [],
    groupHeaders: flags['requestheader-group-headers'] ?? [],
    extraHeaderPrefixes: flags['requestheader-extra-headers-prefix'] ?? [],
    allowedNames: flags['requestheader-allowed-names'] ?? [],
  };
  return createProxyHeaderAuthenticator(ambient, options);
}
