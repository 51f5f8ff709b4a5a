import {
  type Authorizer,
  type Count,
  type Counter,
  type Metrics,
  observed,
  SECONDS_BOUNDS,
} from '@ashlar/core';
import { rulesOf } from '../rbac/rules-of.ts';

/** Result of a webhook call. */
export type WebhookResult = 'success' | 'error' | 'timeout' | 'canceled';

/** Metrics of single authorizers (semantics/discovery#metrics). Names are those of a configuration; durations are in seconds. */
export interface AuthorizerMetrics {
  /** Counts decisions by type, name and decision. */
  readonly decisions: Counter;
  /** A webhook was called. */
  called(name: string, result: WebhookResult, seconds: number): void;
  /** A webhook failed after all retries, and others decide. */
  failedOpen(name: string, result: WebhookResult): void;
  /** Records an evaluation of a webhook's match conditions. */
  matched(name: string, outcome: boolean | Error, seconds: number): void;
}

const CONDITION_BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

/** @throws TypeError if these metrics are already registered */
export function createAuthorizerMetrics(metrics: Metrics): AuthorizerMetrics {
  const counter = (name: string, help: string, labels: readonly string[]) =>
    metrics.counter({ name: `apiserver_authorization_${name}`, help, labels });
  const histogram = (name: string, help: string, labels: readonly string[], bounds: readonly number[]) =>
    metrics.histogram({ name: `apiserver_authorization_${name}`, help, labels }, bounds);
  const which = ['type', 'name'];
  const call = ['name', 'result'];
  const decisions = counter('decisions_total', 'Requests that an authorizer allowed or denied.', [
    ...which,
    'decision',
  ]);
  const calls = counter('webhook_evaluations_total', 'Calls of authorization webhooks.', call);
  const times = histogram('webhook_duration_seconds', 'How long such calls took.', call, SECONDS_BOUNDS);
  const open = counter('webhook_evaluations_fail_open_total', 'Failures that left it to others.', call);
  const evaluationErrors = counter(
    'match_condition_evaluation_errors_total',
    'Conditions that failed.',
    which,
  );
  const exclusions = counter(
    'match_condition_exclusions_total',
    'Number of requests that match conditions excluded from a webhook.',
    which,
  );
  const evaluation = 'How long it took to look at conditions.';
  const evaluationTimes = histogram(
    'match_condition_evaluation_seconds',
    evaluation,
    which,
    CONDITION_BOUNDS,
  );
  return {
    decisions,
    called(name, result, seconds) {
      calls.add([name, result]);
      times.observe([name, result], seconds);
    },
    failedOpen: (name, result) => open.add([name, result]),
    matched(name, outcome, seconds) {
      evaluationTimes.observe(['Webhook', name], seconds);
      if (outcome instanceof Error) evaluationErrors.add(['Webhook', name]);
      else if (!outcome) exclusions.add(['Webhook', name]);
    },
  };
}

/**
 * Counts the decisions of one authorizer, except no opinion.
 * @param type as in configurations: `RBAC`, `Node`, `Webhook`, …
 */
export function withDecisionMetrics(
  inner: Authorizer,
  {
    type,
    name,
    metrics,
  }: { readonly type: string; readonly name: string; readonly metrics: AuthorizerMetrics },
): Authorizer {
  const places: Partial<Record<'allowed' | 'denied', Count>> = {};
  const count = (decision: 'allowed' | 'denied'): void => {
    places[decision] ??= metrics.decisions.of([type, name, decision]);
    places[decision].add();
  };
  return {
    authorize: (attributes, signal) =>
      observed(
        () => inner.authorize(attributes, signal),
        ({ decision }) => {
          if (decision !== 'no-opinion') count(decision === 'allow' ? 'allowed' : 'denied');
        },
        () => {},
      ),
    rules: (user, namespace) => rulesOf([inner], user, namespace),
  };
}
