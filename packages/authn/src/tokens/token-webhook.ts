import { callForJson, encodeJson } from '@ashlar/codec';
import {
  type Ambient,
  type Authentication,
  callRepeatedly,
  errorMessage,
  goQuote,
  groupName,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Transport,
  type TransportTls,
  type UserInfo,
} from '@ashlar/core';
import { NONE, type TokenAuthenticator } from './token-authenticator.ts';
import { withTokenCache } from './token-cache.ts';
import type { TokenCacheMetrics } from './token-cache-metrics.ts';
import type { TokenDigest } from './token-digest.ts';

export interface TokenWebhookOptions {
  readonly ambient: Ambient;
  readonly transport: Transport;
  /** URL of the webhook. */
  readonly url: string;
  readonly tls?: TransportTls;
  /** The server's own token for the webhook. */
  readonly token?: string;
  /** Version of the reviews; default `v1beta1`. */
  readonly version?: 'v1' | 'v1beta1';
  /** Default audiences: those of the server. */
  readonly apiAudiences?: readonly string[];
  /** How long answers are cached, in milliseconds, positive and negative ones; default 120,000. */
  readonly cacheMilliseconds?: number;
  /** Counts hits and misses. */
  readonly metrics?: TokenCacheMetrics;
  /** Hashes cached tokens, as for `withTokenCache`. */
  readonly digest?: TokenDigest;
  /**
   * Called with calls that failed after all retries, and with reasons why tokens are not authenticated. No
   * token is contained.
   */
  readonly onError?: ((error: Error) => void) | undefined;
}

/**
 * Authenticates tokens by a remote service (semantics/access#token-webhook). Failed calls are retried, with
 * growing pauses; a call that fails in the end rejects and is not cached.
 */
export function createTokenWebhook(options: TokenWebhookOptions): TokenAuthenticator {
  const { ambient, cacheMilliseconds = 120_000, metrics, digest } = options;
  const inner: TokenAuthenticator = {
    authenticateToken: (token, audiences) => review(options, token, audiences ?? options.apiAudiences ?? []),
  };
  return withTokenCache(inner, {
    ambient,
    milliseconds: cacheMilliseconds,
    ...(metrics && { metrics }),
    digest,
    keeps: (result) => result.outcome !== 'rejected' || !(result.error instanceof FailedCallError),
  });
}

/** A webhook that did not respond; not a result. */
class FailedCallError extends Error {}

async function review(
  options: TokenWebhookOptions,
  token: string,
  audiences: readonly string[],
): Promise<Authentication> {
  try {
    const status = statusOf(await reviewToken(options, token, audiences), apiVersionOf(options));
    return authenticationOf(status, audiences, options.apiAudiences ?? []);
  } catch (error) {
    const why = errorMessage(error);
    const failure = new FailedCallError(`the token webhook failed: ${why}`);
    options.onError?.(failure);
    return { outcome: 'rejected', error: failure };
  }
}

const apiVersionOf = ({ ambient, version = 'v1beta1' }: TokenWebhookOptions): string =>
  `${groupName(ambient.vocabulary, 'authentication.')}/${version}`;

function reviewToken(
  options: TokenWebhookOptions,
  token: string,
  audiences: readonly string[],
): Promise<JsonValue> {
  const { ambient, transport, url, tls } = options;
  const body = encodeJson({
    kind: 'TokenReview',
    apiVersion: apiVersionOf(options),
    metadata: { creationTimestamp: null },
    spec: { token, ...(audiences.length > 0 && { audiences }) },
    status: { user: {} },
  });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
  };
  const request = { method: 'POST', headers, body, ...(tls && { tls }) };
  return callRepeatedly(ambient, () => callForJson({ transport, clock: ambient.clock }, url, request));
}

/** @throws Error if the response is not a review of that version */
function statusOf(result: JsonValue, apiVersion: string): JsonObject {
  if (!isJsonObject(result) || result.kind !== 'TokenReview' || result.apiVersion !== apiVersion)
    throw new Error(`the response is not a TokenReview of ${goQuote(apiVersion)}`);
  const { metadata, spec, status } = result;
  if (![metadata, spec, status].every((part) => isJsonObject(part ?? {})))
    throw new Error('a part of the response is not an object');
  return (status ?? {}) as JsonObject;
}

function authenticationOf(
  status: JsonObject,
  requestedAudiences: readonly string[],
  apiAudiences: readonly string[],
): Authentication {
  const { authenticated, user, error } = status;
  if (authenticated !== true)
    return typeof error === 'string' && error !== ''
      ? { outcome: 'rejected', error: new Error(error) }
      : NONE;
  const named = textsIn(status.audiences);
  const audiences = requestedAudiences.filter((audience) =>
    (named.length > 0 ? named : apiAudiences).includes(audience),
  );
  if (requestedAudiences.length > 0 && audiences.length === 0) return NONE;
  return {
    outcome: 'authenticated',
    user: userOf(isJsonObject(user) ? user : {}),
    ...(requestedAudiences.length > 0 && { audiences }),
  };
}

/** @throws Error if the response names no user */
function userOf({ username, uid, groups, extra }: JsonObject): UserInfo {
  if (typeof username !== 'string' || username === '') throw new Error('the response names no user');
  if (typeof (uid ?? '') !== 'string') throw new Error('the uid of the response is not a string');
  const fields = isJsonObject(extra) ? Object.entries(extra) : [];
  return {
    name: username,
    groups: textsIn(groups),
    ...(typeof uid === 'string' && uid !== '' && { uid }),
    ...(fields.length > 0 && {
      extra: Object.fromEntries(fields.map(([key, values]) => [key, textsIn(values)])),
    }),
  };
}

/** @throws Error for anything but a list of strings */
function textsIn(value: JsonValue | undefined): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new Error('a list of the response holds something else than strings');
}
