import { callForJson, encodeJson } from '@ashlar/codec';
import {
  type Ambient,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  callRepeatedly,
  groupName,
  LateAnswerError,
  observed,
  type Transport,
  type TransportTls,
} from '@ashlar/core';
import { LRUCache } from 'lru-cache';
import { accessReviewSpec, reviewDecision } from './access-review.ts';
import type { AuthorizerMetrics, WebhookResult } from './authorizer-metrics.ts';
import { compileMatchCondition, type MatchCondition, matchesConditions } from './match-conditions.ts';

/** Times are in milliseconds. */
export interface WebhookAuthorizerOptions {
  readonly ambient: Ambient;
  readonly transport: Transport;
  /** Where reviews are sent to. */
  readonly url: string;
  readonly tls?: TransportTls;
  /** The server's own token for the webhook. */
  readonly token?: string;
  /** Version of the reviews; default `v1beta1`. */
  readonly version?: 'v1' | 'v1beta1';
  /** How long it is remembered what is allowed; default 300,000. */
  readonly authorizedMilliseconds?: number;
  /** How long it is remembered what is not; default 30,000. */
  readonly unauthorizedMilliseconds?: number;
  /** Longest time of one call; default 30,000. */
  readonly timeoutMilliseconds?: number;
  /** What a failure decides; default `NoOpinion`. */
  readonly failurePolicy?: 'NoOpinion' | 'Deny';
  /** Expressions over the review in version `v1`, as `request`; all must hold, or the webhook is not asked. */
  readonly matchConditions?: readonly string[];
  /** What it is called in metrics; default `default`. */
  readonly name?: string;
  readonly metrics?: AuthorizerMetrics;
  /** Told of calls that failed in the end. */
  readonly onError?: (error: Error) => void;
}

/** Answers that are remembered at a time. */
const MOST_ANSWERS = 8_192;
/** What callers choose freely is remembered up to that many characters (semantics K10). */
const MOST_CHARACTERS = 10_000;

/**
 * Asks a remote service who may do what (specification 2, "AuthorizationConfiguration"; semantics K10). Calls that fail are made again;
 * what fails in the end is decided by the policy, and not remembered.
 *
 * @throws TypeError for a condition that cannot be compiled
 * @example
 * const webhook = createWebhookAuthorizer({ ambient, transport, url: 'https://decides.example/authorize', version: 'v1' });
 * const authorizer = createUnionAuthorizer([webhook, rbac]);
 */
export function createWebhookAuthorizer(options: WebhookAuthorizerOptions): Authorizer {
  return new WebhookAuthorizer(options);
}

class WebhookAuthorizer implements Authorizer {
  readonly #options: WebhookAuthorizerOptions;
  readonly #name: string;
  readonly #version: 'v1' | 'v1beta1';
  readonly #apiVersion: string;
  readonly #conditions: readonly MatchCondition[];
  readonly #answers: LRUCache<string, AuthorizationDecision>;

  constructor(options: WebhookAuthorizerOptions) {
    const { ambient, version = 'v1beta1', matchConditions = [] } = options;
    this.#options = options;
    this.#name = options.name ?? 'default';
    this.#version = version;
    this.#apiVersion = `${groupName(ambient.vocabulary, 'authorization.')}/${version}`;
    this.#conditions = matchConditions.map((text) => {
      const compiled = compileMatchCondition(text, ambient.vocabulary);
      if (typeof compiled === 'string') throw new TypeError(compiled);
      return compiled;
    });
    this.#answers = new LRUCache({
      max: MOST_ANSWERS,
      ttlResolution: 0,
      // 0 would be no time at all to it
      perf: { now: () => ambient.clock.monotonic() + 1 },
    });
  }

  authorize(
    attributes: AuthorizationAttributes,
    signal?: AbortSignal,
  ): AuthorizationDecision | Promise<AuthorizationDecision> {
    const matches = this.#matches(attributes);
    if (matches instanceof Error) return this.#failure(matches);
    if (!matches) return { decision: 'no-opinion' };
    const spec = accessReviewSpec(attributes, this.#version);
    const key = JSON.stringify(spec);
    return this.#answers.get(key) ?? this.#ask(attributes, key, signal);
  }

  rules(): { resourceRules: []; nonResourceRules: []; incomplete: true; errors: readonly string[] } {
    const errors = ['webhook authorizer does not support user rule resolution'];
    return { resourceRules: [], nonResourceRules: [], incomplete: true, errors };
  }

  #matches(attributes: AuthorizationAttributes): boolean | Error {
    if (this.#conditions.length === 0) return true;
    const { ambient, metrics } = this.#options;
    const begun = ambient.clock.monotonic();
    const outcome = matchesConditions(this.#conditions, attributes);
    metrics?.matched(this.#name, outcome, (ambient.clock.monotonic() - begun) / 1000);
    return outcome;
  }

  async #ask(
    attributes: AuthorizationAttributes,
    spec: string,
    signal: AbortSignal | undefined,
  ): Promise<AuthorizationDecision> {
    try {
      const decision = await this.#call(attributes, signal);
      if (isShort(attributes)) this.#remember(spec, decision);
      return decision;
    } catch (error) {
      signal?.throwIfAborted();
      const why = error instanceof Error ? error.message : String(error);
      const failure = new Error(`the authorization webhook failed: ${why}`);
      this.#options.onError?.(failure);
      if (this.#options.failurePolicy !== 'Deny')
        this.#options.metrics?.failedOpen(this.#name, resultOf(error, signal));
      return this.#failure(failure);
    }
  }

  async #call(
    attributes: AuthorizationAttributes,
    signal: AbortSignal | undefined,
  ): Promise<AuthorizationDecision> {
    const { ambient, transport, url, tls, token, timeoutMilliseconds = 30_000 } = this.#options;
    const body = encodeJson({
      kind: 'SubjectAccessReview',
      apiVersion: this.#apiVersion,
      metadata: { creationTimestamp: null },
      spec: accessReviewSpec(attributes, this.#version),
      status: { allowed: false },
    });
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const request = { method: 'POST', headers, body, ...(tls && { tls }), ...(signal && { signal }) };
    const how = { transport, clock: ambient.clock, timeoutMilliseconds };
    const once = (): Promise<AuthorizationDecision> =>
      this.#counted(
        async () => reviewDecision(await callForJson(how, url, request), this.#apiVersion),
        signal,
      );
    return callRepeatedly(ambient, once, signal);
  }

  /** Counts a call, how long it takes and how it ends. */
  async #counted<T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const { ambient, metrics } = this.#options;
    const begun = ambient.clock.monotonic();
    const count = (result: WebhookResult): void =>
      metrics?.called(this.#name, result, (ambient.clock.monotonic() - begun) / 1000);
    return observed(
      call,
      () => count('success'),
      (error) => count(resultOf(error, signal)),
    );
  }

  #remember(key: string, decision: AuthorizationDecision): void {
    const { authorizedMilliseconds = 300_000, unauthorizedMilliseconds = 30_000 } = this.#options;
    const ttl = decision.decision === 'allow' ? authorizedMilliseconds : unauthorizedMilliseconds;
    if (ttl > 0) this.#answers.set(key, decision, { ttl });
  }

  #failure(error: Error): AuthorizationDecision {
    return { decision: this.#options.failurePolicy === 'Deny' ? 'deny' : 'no-opinion', error };
  }
}

function resultOf(error: unknown, signal: AbortSignal | undefined): WebhookResult {
  if (signal?.aborted) return 'canceled';
  return error instanceof LateAnswerError ? 'timeout' : 'error';
}

function isShort(attributes: AuthorizationAttributes): boolean {
  const { namespace, verb, apiGroup, apiVersion, resource, subresource, name, path } = attributes;
  const parts = [namespace, verb, apiGroup, apiVersion, resource, subresource, name, path];
  return parts.reduce((sum, part) => sum + part.length, 0) < MOST_CHARACTERS;
}
