import {
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  type Clock,
  countOutcomes,
  exponentialBounds,
  type Metrics,
  measured,
} from '@ashlar/core';
import { rulesOf } from '../rbac/rules-of.ts';

/**
 * Counts the decisions of an authorizer, and measures their duration (semantics/discovery#metrics).
 * @throws TypeError if these metrics are already registered
 */
export function withAuthorizationMetrics(
  inner: Authorizer,
  { metrics, clock }: { readonly metrics: Metrics; readonly clock: Clock },
): Authorizer {
  const attempted = countOutcomes<Result>(metrics, {
    attempts: {
      name: 'authorization_attempts_total',
      help: 'Requests that were decided about, by outcome.',
    },
    duration: {
      name: 'authorization_duration_seconds',
      help: 'How long it took to decide about requests, by outcome.',
    },
    bounds: exponentialBounds(0.001, 2, 15),
  });
  const authorize = (attributes: AuthorizationAttributes, signal: AbortSignal | undefined) =>
    inner.authorize(attributes, signal);
  return {
    authorize: measured(authorize, clock, {
      answered: (decision, seconds) => attempted(resultOf(decision), seconds),
      failed: (seconds) => attempted('error', seconds),
    }),
    rules: (user, namespace) => rulesOf([inner], user, namespace),
  };
}

type Result = 'allowed' | 'denied' | 'no-opinion' | 'error';

function resultOf({ decision, error }: AuthorizationDecision): Result {
  if (decision === 'allow') return 'allowed';
  if (error) return 'error';
  return decision === 'deny' ? 'denied' : 'no-opinion';
}
