import { type Authorizer, type JsonObject, StatusError, type Vocabulary } from '@ashlar/core';
import type { AdmissionMetrics, AdmissionStep } from '../admission-metrics.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { explainedDenial, refusedByWebhook } from '../explain-denial.ts';
import { type PolicyAmbient, runEvaluation } from '../expressions/evaluate-expression.ts';
import { meetsConditions } from '../expressions/match-conditions.ts';
import { RequestBindings, RequestValues } from '../expressions/request-bindings.ts';
import {
  matchedVersion,
  type NamespaceReader,
  namespaceMatches,
  objectMatches,
} from '../matching/request-matching.ts';
import type { VersionedRequest } from '../matching/versioned-request.ts';
import type { ReviewedObjects } from './admission-review.ts';
import type { ReadyWebhook } from './webhook-source.ts';

/** What matching reads besides the request. */
export interface MatchingEnvironment {
  readonly ambient: PolicyAmbient;
  readonly vocabulary: Vocabulary;
  /** Decides the checks that expressions make with `authorizer`, for the user of the request. */
  readonly authorizer: Authorizer;
  readonly namespace: NamespaceReader;
  /** Counts what webhooks and policies do. */
  readonly metrics?: AdmissionMetrics | undefined;
}

/** A request that a webhook is to be called for. */
export interface MatchedRequest {
  readonly objects: ReviewedObjects;
  /** The request of the review, without uid. */
  readonly review: JsonObject;
}

/**
 * Returns the request as a webhook sees it, if it is to be called: by rules, selectors and match conditions, in this order
 * (semantics/admission#webhook-configuration).
 * @throws StatusError 403 for a condition that fails, 404 for a namespace that does not exist
 */
export async function matchWebhook(
  ready: ReadyWebhook,
  versioned: VersionedRequest,
  environment: MatchingEnvironment,
  step: AdmissionStep,
): Promise<MatchedRequest | undefined> {
  const { request } = versioned;
  const version = matchedVersion(ready.rules, ready.webhook.matchPolicy, request);
  if (version === undefined || !objectMatches(ready.objectSelector, request)) return undefined;
  if (!(await namespaceMatches(ready.namespaceSelector, request, environment.namespace))) return undefined;
  const objects = await versioned.inVersion(version);
  const values = new RequestValues(request, objects, {
    ...environment,
    // match conditions of webhooks see no namespace
    namespace: async () => undefined,
  });
  return (await conditionsHold(ready, request, values, environment, step))
    ? { objects, review: values.review }
    : undefined;
}

async function conditionsHold(
  ready: ReadyWebhook,
  request: AdmissionRequest,
  values: RequestValues,
  { ambient, metrics }: MatchingEnvironment,
  step: AdmissionStep,
): Promise<boolean> {
  const conditions = ready.conditions();
  if (conditions.length === 0) return true;
  const start = metrics?.now() ?? 0;
  const met = await runEvaluation(meetsConditions(conditions, RequestBindings.of(values, null)), ambient);
  metrics?.conditionsDone({ kind: 'webhook', name: ready.webhook.name, step }, request, met, start);
  if (typeof met === 'boolean') return met;
  if (ready.webhook.failurePolicy === 'Ignore') return false;
  const { webhook, configuration } = ready;
  const denied = StatusError.forbidden(request.resource, request.name, met);
  throw explainedDenial(request, denied, () => [refusedByWebhook(webhook.name, configuration)]);
}
