import { groupName } from '@ashlar/core';
import type { AdmissionPlugin, AdmissionRequest } from '../admission-request.ts';
import { isExempt } from '../matching/exempt-resources.ts';
import { PausesBetween } from '../matching/pauses-between.ts';
import { VersionedRequest } from '../matching/versioned-request.ts';
import { whileWaiting } from './request-waits.ts';
import { reviewByWebhook, type WebhookEnvironment } from './review-by-webhook.ts';
import { type MatchedRequest, matchWebhook } from './webhook-matching.ts';
import type { ReadyWebhook } from './webhook-source.ts';

/**
 * Asks the validating webhooks of stored configurations, all at the same time; the first that denies or fails, in their order, decides
 * (semantics/admission#webhook-configuration).
 */
export function createValidatingWebhooks(environment: WebhookEnvironment): AdmissionPlugin {
  const { source, vocabulary } = environment;
  return {
    name: 'ValidatingAdmissionWebhook',
    handles: (request) => {
      const webhooks = source.current(request);
      return (webhooks instanceof Promise || webhooks.length > 0) && !isExempt(request, vocabulary);
    },
    async validate(request) {
      const matched = await matchAll(await source.current(request), request, environment);
      if (matched.length === 0) return;
      const calls = (): Promise<PromiseSettledResult<void>[]> =>
        Promise.allSettled(
          matched.map(([webhook, { review }], index) =>
            callWebhook(webhook, request, review, { ...environment, index }),
          ),
        );
      const outcomes = await whileWaiting('validating-webhook', request, environment.ambient.clock, calls);
      const refused = outcomes.find((outcome) => outcome.status === 'rejected');
      if (refused) throw refused.reason;
    },
  };
}

async function matchAll(
  webhooks: readonly ReadyWebhook[],
  request: AdmissionRequest,
  environment: WebhookEnvironment,
): Promise<(readonly [ReadyWebhook, MatchedRequest])[]> {
  const versioned = new VersionedRequest(request);
  const found: (readonly [ReadyWebhook, MatchedRequest])[] = [];
  const pauses = new PausesBetween(environment.ambient);
  for (const webhook of webhooks) {
    const matched = await matchWebhook(webhook, versioned, environment, 'validate');
    if (matched) found.push([webhook, matched]);
    const rest = pauses.next();
    if (rest) await rest;
  }
  return found;
}

async function callWebhook(
  webhook: ReadyWebhook,
  request: AdmissionRequest,
  review: MatchedRequest['review'],
  environment: WebhookEnvironment & { readonly index: number },
): Promise<void> {
  const isAllowed = await reviewByWebhook(webhook, request, review, environment, 'validate', () => true);
  if (isAllowed) return;
  const key = `failed-open.validating.webhook.${groupName(environment.vocabulary, 'admission.')}`;
  request.annotate(`${key}/round_0_index_${environment.index}`, webhook.webhook.name);
}
