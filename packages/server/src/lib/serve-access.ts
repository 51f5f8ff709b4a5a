import {
  createAnonymousAuthenticator,
  createAuthenticatorUnion,
  createCertificateAuthenticator,
  createTokenAuthenticator,
  parseTokenFile,
  type TokenUser,
  withAuthenticatedGroup,
} from '@ashlar/authn';
import { createAlwaysAllowAuthorizer, createAlwaysDenyAuthorizer, createAuthorizerUnion, withSystemMasters } from '@ashlar/authz';
import type { Authenticator, Authorizer, Vocabulary } from '@ashlar/core';
import { readTextFile } from './read-text-file.ts';
import type { ServeFlags } from './serve-flags.ts';
import { UsageError } from './usage-error.ts';

/** Who may log in, by the flags: certificates, tokens, then nobody in particular. */
export function authenticatorOf(flags: ServeFlags, vocabulary: Vocabulary, ownToken: string | undefined): Authenticator {
  const members: Authenticator[] = [];
  if (flags['client-ca-file'] !== undefined) members.push(createCertificateAuthenticator({ now: () => Date.now() }));
  const tokens = tokensOf(flags, ownToken);
  if (tokens.length > 0) members.push(createTokenAuthenticator(tokens));
  const known = withAuthenticatedGroup(createAuthenticatorUnion(members));
  const anonymous = flags['anonymous-auth'] ?? !allowsEverything(flags);
  void vocabulary;
  return anonymous ? createAuthenticatorUnion([known, createAnonymousAuthenticator()]) : known;
}

/** Strangers are not let in where everybody may do everything, unless they are asked in. */
const allowsEverything = (flags: ServeFlags): boolean => (flags['authorization-mode'] ?? ['AlwaysAllow']).includes('AlwaysAllow');

function tokensOf(flags: ServeFlags, ownToken: string | undefined): readonly TokenUser[] {
  const file = flags['token-auth-file'];
  if (file !== undefined) {
    try {
      return parseTokenFile(readTextFile('token-auth-file', file));
    } catch (error) {
      throw error instanceof UsageError ? error : new UsageError(`flag --token-auth-file: ${file}: ${(error as Error).message}`);
    }
  }
  return ownToken === undefined ? [] : [{ token: ownToken, user: { name: 'admin', uid: 'admin', groups: ['system:masters'] } }];
}

/** Who may do what, by the flags; administrators before all else. */
export function authorizerOf(flags: ServeFlags): Authorizer {
  const modes = flags['authorization-mode'] ?? ['AlwaysAllow'];
  const members = modes.map((mode) => (mode === 'AlwaysAllow' ? createAlwaysAllowAuthorizer() : createAlwaysDenyAuthorizer()));
  return withSystemMasters(createAuthorizerUnion(members));
}
