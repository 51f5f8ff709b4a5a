import {
  type Ambient,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  errorMessage,
  groupName,
  type JsonObject,
} from '@ashlar/core';
import { LRUCache } from 'lru-cache';
import { accessReviewSpec } from './access-review.ts';
import { compileMatchCondition, type MatchCondition, matchesConditions } from './match-conditions.ts';
import { DEFAULT_NAME, type ReviewService, requestReview, webhookResult } from './review-request.ts';

/** Times are in milliseconds. */
export interface WebhookAuthorizerOptions extends ReviewService {
  readonly ambient: Ambient;
  /** Version of the reviews; default `v1beta1`. */
  readonly version?: 'v1' | 'v1beta1';
  /** How long allowed requests are cached; default 300,000. */
  readonly authorizedMilliseconds?: number;
  /** How long other requests are cached; default 30,000. */
  readonly unauthorizedMilliseconds?: number;
  /** Decision for a failed call; default `NoOpinion`. */
  readonly failurePolicy?: 'NoOpinion' | 'Deny';
  /** Expressions over the review in version `v1`, as `request`; the webhook is called only if all are true. */
  readonly matchConditions?: readonly string[];
  /** Called with calls that failed after all retries. */
  readonly onError?: (error: Error) => void;
}

/** Maximum number of cached results. */
const MAXIMUM_DECISIONS = 8_192;
/**
 * Results are cached for requests whose attributes have at most that many characters
 * (semantics/access#access-reviews).
 */
const MOST_CHARACTERS = 10_000;

/**
 * Authorizes by a remote service (semantics/access#authorization; semantics/access#access-reviews). Failed
 * calls are retried; the failure policy decides about calls that fail in the end, which are not cached.
 *
 * @throws TypeError for a condition that cannot be compiled
 * @example
 * const webhook = createWebhookAuthorizer({ ambient, transport, url: 'https://decides.example/authorize',
 * version: 'v1' });
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
  readonly #decisions: LRUCache<string, AuthorizationDecision>;

  constructor(options: WebhookAuthorizerOptions) {
    const { ambient, version = 'v1beta1', matchConditions = [] } = options;
    this.#options = options;
    this.#name = options.name ?? DEFAULT_NAME;
    this.#version = version;
    this.#apiVersion = `${groupName(ambient.vocabulary, 'authorization.')}/${version}`;
    this.#conditions = matchConditions.map((text) => {
      const compiled = compileMatchCondition(text, ambient.vocabulary);
      if (typeof compiled === 'string') throw new TypeError(compiled);
      return compiled;
    });
    this.#decisions = new LRUCache({
      max: MAXIMUM_DECISIONS,
      ttlResolution: 0,
      // the cache treats 0 as no time
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
    return this.#decisions.get(JSON.stringify(spec)) ?? this.#callWebhook(attributes, spec, signal);
  }

  rules(): { resourceRules: []; nonResourceRules: []; incomplete: true; errors: readonly string[] } {
    const errors = ['webhook authorizer does not support user rule resolution'];
    return { resourceRules: [], nonResourceRules: [], incomplete: true, errors };
  }

  #matches(attributes: AuthorizationAttributes): boolean | Error {
    if (this.#conditions.length === 0) return true;
    const { ambient, metrics } = this.#options;
    const start = ambient.clock.monotonic();
    const outcome = matchesConditions(this.#conditions, attributes);
    metrics?.matched(this.#name, outcome, (ambient.clock.monotonic() - start) / 1000);
    return outcome;
  }

  async #callWebhook(
    attributes: AuthorizationAttributes,
    spec: JsonObject,
    signal: AbortSignal | undefined,
  ): Promise<AuthorizationDecision> {
    try {
      const decision = await requestReview(this.#options, this.#apiVersion, spec, signal);
      if (isShort(attributes)) this.#remember(JSON.stringify(spec), decision);
      return decision;
    } catch (error) {
      signal?.throwIfAborted();
      const why = errorMessage(error);
      const failure = new Error(`the authorization webhook failed: ${why}`);
      this.#options.onError?.(failure);
      if (this.#options.failurePolicy !== 'Deny')
        this.#options.metrics?.failedOpen(this.#name, webhookResult(error, signal));
      return this.#failure(failure);
    }
  }

  #remember(key: string, decision: AuthorizationDecision): void {
    const { authorizedMilliseconds = 300_000, unauthorizedMilliseconds = 30_000 } = this.#options;
    const ttl = decision.decision === 'allow' ? authorizedMilliseconds : unauthorizedMilliseconds;
    if (ttl > 0) this.#decisions.set(key, decision, { ttl });
  }

  #failure(error: Error): AuthorizationDecision {
    return { decision: this.#options.failurePolicy === 'Deny' ? 'deny' : 'no-opinion', error };
  }
}

function isShort(attributes: AuthorizationAttributes): boolean {
  const { namespace, verb, apiGroup, apiVersion, resource, subresource, name, path } = attributes;
  const parts = [namespace, verb, apiGroup, apiVersion, resource, subresource, name, path];
  return parts.reduce((sum, part) => sum + part.length, 0) < MOST_CHARACTERS;
}
