import {
  createBearerAuthenticator,
  createClientCertificateAuthenticator,
  createStaticTokens,
  createUnionAuthenticator,
  createUnionTokens,
  createWebSocketAuthenticator,
  isAnonymousEnabled,
  parseTokenFile,
  type StaticToken,
  withAnonymous,
  withAuthenticatedGroup,
  withServerAudiences,
} from '@ashlar/authn';
import type { Ambient, Authenticator } from '@ashlar/core';
import { certificatesIn } from './certificates-in.ts';
import { readTextFile } from './read-text-file.ts';
import type { ServeFlags } from './serve-flags.ts';
import { proxyAuthenticatorOf } from './serve-proxy.ts';
import type { AuthenticatorOption } from './server-access.ts';
import { UsageError } from './usage-error.ts';

/**
 * Who may log in, by the flags: who a proxy says, certificates, tokens, then nobody in particular.
 * @throws UsageError
 */
export function authenticatorOf(
  flags: ServeFlags,
  ambient: Ambient,
  ownToken: string | undefined,
  report: (text: string) => void,
): AuthenticatorOption {
  const { random, vocabulary } = ambient;
  const listed = createStaticTokens(tokensOf(flags, ownToken, report), random);
  const proxy = proxyAuthenticatorOf(flags, ambient);
  const certificates = certificateAuthenticatorOf(flags, ambient);
  const anonymous = isAnonymousEnabled(
    flags['anonymous-auth'],
    flags['authorization-mode'] ?? ['AlwaysAllow'],
  );
  return ({ apiAudiences, serviceAccounts, bootstrap }) => {
    const named = flags['enable-bootstrap-token-auth'] ? [listed, bootstrap] : [listed];
    const tokens = createUnionTokens([
      ...named.map((each) => withServerAudiences(each, apiAudiences)),
      serviceAccounts,
    ]);
    const known = withAuthenticatedGroup(
      createUnionAuthenticator([
        ...(proxy ? [proxy] : []),
        ...(certificates ? [certificates] : []),
        createBearerAuthenticator(tokens),
        createWebSocketAuthenticator(tokens, vocabulary),
      ]),
    );
    return anonymous ? withAnonymous(known) : known;
  };
}

/** Certificates of users. Where the listener trusts those of proxies, too, users' own authorities are told apart. */
function certificateAuthenticatorOf(flags: ServeFlags, ambient: Ambient): Authenticator | undefined {
  const file = flags['client-ca-file'];
  if (file === undefined) return undefined;
  if (flags['requestheader-client-ca-file'] === undefined)
    return createClientCertificateAuthenticator(ambient);
  const authorities = certificatesIn('client-ca-file', file, readTextFile('client-ca-file', file));
  return createClientCertificateAuthenticator(ambient, { authorities });
}

function tokensOf(
  flags: ServeFlags,
  ownToken: string | undefined,
  report: (text: string) => void,
): readonly StaticToken[] {
  const file = flags['token-auth-file'];
  if (file !== undefined) {
    try {
      const { tokens, warnings } = parseTokenFile(readTextFile('token-auth-file', file));
      for (const warning of warnings) report(`ashlar: ${file}: ${warning}\n`);
      return tokens;
    } catch (error) {
      throw error instanceof UsageError
        ? error
        : new UsageError(`flag --token-auth-file: ${file}: ${(error as Error).message}`);
    }
  }
  return ownToken === undefined
    ? []
    : [{ token: ownToken, user: { name: 'admin', uid: 'admin', groups: ['system:masters'] } }];
}
