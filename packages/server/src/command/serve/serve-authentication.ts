import {
  createBearerAuthenticator,
  createClientCertificateAuthenticator,
  createStaticTokens,
  createTokenCacheMetrics,
  createUnionAuthenticator,
  createUnionTokens,
  createWebSocketAuthenticator,
  isAnonymousEnabled,
  parseTokenFile,
  type StaticToken,
  type TokenAuthenticator,
  withAnonymous,
  withAuthenticatedGroup,
  withJwtMetrics,
  withServerAudiences,
  withTokenCache,
} from '@ashlar/authn';
import type { Ambient, Authenticator, Metrics } from '@ashlar/core';
import { createNodeTransport } from '@ashlar/http-node';
import type { AuthenticatorFactory } from '../../assembly/server-access.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { readTextFile } from '../read-text-file.ts';
import { UsageError } from '../usage-error.ts';
import { WebhookConnections } from '../webhook-connections.ts';
import { ClientAuthorities } from './certificates/client-authorities.ts';
import { createNodeTokenDigest } from './node-token-digest.ts';
import { issuersOf, type ServeIssuers } from './serve-issuers.ts';
import { proxyAuthenticatorOf } from './serve-proxy.ts';
import { serviceAccountIssuersOf } from './serve-service-accounts.ts';
import { tokenWebhookOf } from './serve-token-webhook.ts';

/** The authentication that the flags configure; disposed with the server. */
export interface ServeAuthentication extends Disposable {
  readonly authenticator: AuthenticatorFactory;
  /** Starts watching the configuration file, and registers metrics of its reloads. */
  follow(metrics: Metrics): void;
}

/**
 * Creates the authentication that the flags configure: request headers of a proxy, client certificates, tokens, then anonymous. Discovery
 * of token issuers starts immediately.
 * @throws UsageError
 */
export function createServeAuthentication(
  flags: ServeFlags,
  ambient: Ambient,
  ownToken: string | undefined,
  report: (text: string) => void,
  authorities: ClientAuthorities = new ClientAuthorities(flags, report),
): ServeAuthentication {
  const listed = createStaticTokens(tokensOf(flags, ownToken, report), ambient.random);
  const proxy = proxyAuthenticatorOf(flags, ambient, authorities);
  const certificates = authorities.authenticator('client-ca-file', (trusted) =>
    createClientCertificateAuthenticator(ambient, { authorities: trusted }),
  );
  const digest = createNodeTokenDigest(ambient.random);
  const transport = createNodeTransport();
  const connections = new WebhookConnections({ ambient, transport });
  const webhook = tokenWebhookOf(flags, { ambient, connections, digest, report });
  const ownIssuers = serviceAccountIssuersOf(flags, ambient.vocabulary);
  const issuers = issuersOf(flags, { ambient, transport, report, ownIssuers });
  const policy = anonymousPolicy(flags, issuers);
  return {
    authenticator(stored) {
      const { apiAudiences, serviceAccounts, bootstrap, metrics } = stored;
      const { clock } = ambient;
      const cacheMetrics = createTokenCacheMetrics(metrics, clock);
      const named = (tokens: TokenAuthenticator): TokenAuthenticator =>
        withServerAudiences(tokens, apiAudiences);
      const cached = createUnionTokens([
        serviceAccounts,
        ...(flags['enable-bootstrap-token-auth'] ? [named(bootstrap)] : []),
        named(withJwtMetrics(issuers.tokens, { metrics, clock })),
        ...(webhook ? [webhook(apiAudiences, cacheMetrics)] : []),
      ]);
      const tokens = createUnionTokens([
        named(listed),
        withTokenCache(cached, { ambient, metrics: cacheMetrics, digest }),
      ]);
      const withCredentials = createUnionAuthenticator([
        ...(proxy ? [proxy] : []),
        ...(certificates ? [certificates] : []),
        createBearerAuthenticator(tokens),
        createWebSocketAuthenticator(tokens, ambient.vocabulary),
      ]);
      return withAnonymousPolicy(withAuthenticatedGroup(withCredentials), policy);
    },
    follow: (metrics) => issuers.follow(metrics),
    [Symbol.dispose]() {
      issuers[Symbol.dispose]();
      connections[Symbol.dispose]();
      transport.close();
    },
  };
}

/** Returns where anonymous requests are accepted at this time: some paths, everywhere or nowhere. */
type AnonymousPolicy = () => readonly string[] | 'everywhere' | 'nowhere';

function anonymousPolicy(flags: ServeFlags, issuers: ServeIssuers): AnonymousPolicy {
  const modes = flags['authorization-mode'] ?? (flags['authorization-config'] ? [] : ['AlwaysAllow']);
  const byFlags = isAnonymousEnabled(flags['anonymous-auth'], modes) ? 'everywhere' : 'nowhere';
  return () => {
    const { anonymous } = issuers;
    if (!anonymous) return byFlags;
    if (anonymous.enabled !== true) return 'nowhere';
    const { conditions = [] } = anonymous;
    return conditions.length === 0 ? 'everywhere' : conditions.map(({ path = '' }) => path);
  };
}

/** Accepts requests without credentials where the policy allows that at the time of the request. */
function withAnonymousPolicy(authenticator: Authenticator, policy: AnonymousPolicy): Authenticator {
  const everywhere = withAnonymous(authenticator);
  return {
    ...everywhere,
    authenticate(request) {
      const now = policy();
      if (now === 'nowhere') return authenticator.authenticate(request);
      const admitting = now === 'everywhere' ? everywhere : withAnonymous(authenticator, { paths: now });
      return admitting.authenticate(request);
    },
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
