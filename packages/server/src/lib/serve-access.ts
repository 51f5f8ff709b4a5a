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
import {
  alwaysAllow,
  alwaysDeny,
  createAbacAuthorizer,
  createUnionAuthorizer,
  parseAbacPolicyFile,
  withPrivilegedGroup,
} from '@ashlar/authz';
import type { Ambient, Authorizer, Vocabulary } from '@ashlar/core';
import { readTextFile } from './read-text-file.ts';
import type { AuthorizationMode, ServeFlags } from './serve-flags.ts';
import type { AuthenticatorOption, AuthorizerOption, StoredAuthorizers } from './server-access.ts';
import { UsageError } from './usage-error.ts';

/** Who may log in, by the flags: certificates, tokens, then nobody in particular. */
export function authenticatorOf(
  flags: ServeFlags,
  ambient: Ambient,
  ownToken: string | undefined,
  report: (text: string) => void,
): AuthenticatorOption {
  const { random, vocabulary } = ambient;
  const listed = createStaticTokens(tokensOf(flags, ownToken, report), random);
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
        ...(flags['client-ca-file'] === undefined ? [] : [createClientCertificateAuthenticator(ambient)]),
        createBearerAuthenticator(tokens),
        createWebSocketAuthenticator(tokens, vocabulary),
      ]),
    );
    return anonymous ? withAnonymous(known) : known;
  };
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

/**
 * Who may do what, by the flags; administrators before all else.
 * @throws UsageError
 */
export function authorizerOf(
  flags: ServeFlags,
  vocabulary: Vocabulary,
  report: (text: string) => void,
): AuthorizerOption {
  const modes = flags['authorization-mode'] ?? ['AlwaysAllow'];
  const abac = abacOf(flags, modes.includes('ABAC'), vocabulary, report);
  const authorizers: Readonly<Record<AuthorizationMode, (stored: StoredAuthorizers) => Authorizer>> = {
    AlwaysAllow: () => alwaysAllow,
    AlwaysDeny: () => alwaysDeny,
    ABAC: () => abac,
    RBAC: ({ rbac }) => rbac,
  };
  return (stored) =>
    withPrivilegedGroup(createUnionAuthorizer(modes.map((mode) => authorizers[mode](stored))));
}

function abacOf(
  flags: ServeFlags,
  isWanted: boolean,
  vocabulary: Vocabulary,
  report: (text: string) => void,
): Authorizer {
  const file = flags['authorization-policy-file'];
  if (!isWanted && file !== undefined)
    throw new UsageError(
      'flag --authorization-policy-file: it is for the authorization mode ABAC, which is not among the modes',
    );
  if (!isWanted) return createAbacAuthorizer([]);
  if (file === undefined)
    throw new UsageError('flag --authorization-mode: ABAC needs the flag --authorization-policy-file');
  try {
    const text = readTextFile('authorization-policy-file', file);
    const { policies, warnings } = parseAbacPolicyFile(text, file, vocabulary);
    for (const warning of warnings) report(`ashlar: ${warning}\n`);
    return createAbacAuthorizer(policies);
  } catch (error) {
    throw error instanceof UsageError
      ? error
      : new UsageError(`flag --authorization-policy-file: ${(error as Error).message}`);
  }
}
