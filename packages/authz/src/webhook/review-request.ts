import { callForJson, encodeJson } from '@ashlar/codec';
import {
  type Ambient,
  type AuthorizationDecision,
  callRepeatedly,
  type JsonObject,
  LateResponseError,
  observed,
  type Transport,
  type TransportTls,
} from '@ashlar/core';
import type { AuthorizerMetrics, WebhookResult } from '../decision/authorizer-metrics.ts';
import { reviewDecision } from './access-review.ts';

/** URL and transport of a webhook, and the version of its reviews. */
export interface ReviewService {
  readonly ambient: Pick<Ambient, 'clock' | 'random'>;
  readonly transport: Transport;
  readonly url: string;
  readonly tls?: TransportTls;
  /** The server's own token for the webhook. */
  readonly token?: string;
  /** Timeout of one call in milliseconds; default 30,000. */
  readonly timeoutMilliseconds?: number;
  /** Name in metrics; default `default`. */
  readonly name?: string;
  /** Counts each call. */
  readonly metrics?: AuthorizerMetrics;
}

/** Name of a webhook without a name. */
export const DEFAULT_NAME = 'default';

/**
 * Sends a review, with retries (semantics/access#access-reviews).
 * @throws Error of the last attempt, and the reason of the signal immediately
 */
export function requestReview(
  service: ReviewService,
  apiVersion: string,
  spec: JsonObject,
  signal: AbortSignal | undefined,
): Promise<AuthorizationDecision> {
  const { ambient, transport, url, tls, token, timeoutMilliseconds } = service;
  const kind = 'SubjectAccessReview';
  const review = {
    kind,
    apiVersion,
    metadata: { creationTimestamp: null },
    spec,
    status: { allowed: false },
  };
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: encodeJson(review),
    ...(tls && { tls }),
    ...(signal && { signal }),
  };
  const call = { transport, clock: ambient.clock, ...(timeoutMilliseconds && { timeoutMilliseconds }) };
  const once = async (): Promise<AuthorizationDecision> =>
    reviewDecision(await callForJson(call, url, request), apiVersion);
  return callRepeatedly(ambient, async () => counted(service, once, signal), signal);
}

/** Counts a call, its duration and its result. */
function counted<T>(
  { ambient: { clock }, name = DEFAULT_NAME, metrics }: ReviewService,
  call: () => Promise<T>,
  signal: AbortSignal | undefined,
): T | Promise<T> {
  const start = clock.monotonic();
  const count = (result: WebhookResult): void =>
    metrics?.called(name, result, (clock.monotonic() - start) / 1000);
  return observed(
    call,
    () => count('success'),
    (error) => count(webhookResult(error, signal)),
  );
}

/** Result of a failed call. */
export function webhookResult(error: unknown, signal: AbortSignal | undefined): WebhookResult {
  if (signal?.aborted) return 'canceled';
  return LateResponseError.is(error) ? 'timeout' : 'error';
}
