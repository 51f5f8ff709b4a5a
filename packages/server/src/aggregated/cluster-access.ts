import {
  createBearerAuthenticator,
  createTokenWebhook,
  createUnionAuthenticator,
  createWebSocketAuthenticator,
  withAnonymous,
  withAuthenticatedGroup,
} from '@ashlar/authn';
import { createUnionAuthorizer, createWebhookAuthorizer, withPrivilegedGroup } from '@ashlar/authz';
import type { ConnectionOptions } from '@ashlar/client';
import type { Ambient, Authenticator, Authorizer, Transport } from '@ashlar/core';
import { groupName } from '@ashlar/core';

/** How long the cluster's answers are kept, in milliseconds. */
const CACHE_MILLISECONDS = 10_000;

/** Where the cluster reviews callers, and what carries the credentials of the server. */
export interface ClusterReviews {
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly ambient: Ambient;
  readonly onError: (error: unknown) => void;
}

/** A connection as the reviews use it: its credentials are those of every request. */
export function clusterReviews({
  baseUrl,
  transport,
  token,
  headers,
  tls,
}: ConnectionOptions): Pick<ClusterReviews, 'baseUrl' | 'transport'> {
  return {
    baseUrl: baseUrl.replace(/\/$/, ''),
    transport: {
      async request(url, request) {
        const shown = typeof token === 'function' ? await token() : token;
        const authorization = shown === undefined ? {} : { authorization: `Bearer ${shown}` };
        return transport.request(url, {
          ...request,
          headers: { ...headers, ...request.headers, ...authorization },
          ...(tls && { tls: { ...tls, ...request.tls } }),
        });
      },
    },
  };
}

/** Authenticates callers by certificates, and by tokens that the cluster reviews; all others are anonymous. */
export function clusterAuthenticator(
  { baseUrl, transport, ambient, onError }: ClusterReviews,
  certificates: Authenticator,
): Authenticator {
  const group = groupName(ambient.vocabulary, 'authentication.');
  const tokens = createTokenWebhook({
    ...{ ambient, transport, onError, version: 'v1', cacheMilliseconds: CACHE_MILLISECONDS },
    url: `${baseUrl}/apis/${group}/v1/tokenreviews`,
  });
  const withCredentials = createUnionAuthenticator([
    certificates,
    createBearerAuthenticator(tokens),
    createWebSocketAuthenticator(tokens, ambient.vocabulary),
  ]);
  return withAnonymous(withAuthenticatedGroup(withCredentials));
}

/** Authorizes by the cluster. Health paths are open to everybody. */
export function clusterAuthorizer({ baseUrl, transport, ambient, onError }: ClusterReviews): Authorizer {
  const group = groupName(ambient.vocabulary, 'authorization.');
  const reviews = createWebhookAuthorizer({
    ...{ ambient, transport, onError, version: 'v1' },
    url: `${baseUrl}/apis/${group}/v1/subjectaccessreviews`,
    authorizedMilliseconds: CACHE_MILLISECONDS,
    unauthorizedMilliseconds: CACHE_MILLISECONDS,
  });
  return withPrivilegedGroup(createUnionAuthorizer([healthForAll, reviews]));
}

const HEALTH = new Set(['/healthz', '/livez', '/readyz']);

const healthForAll: Authorizer = {
  authorize: ({ isResourceRequest, path }) =>
    !isResourceRequest && HEALTH.has(path) ? { decision: 'allow' } : { decision: 'no-opinion' },
};
