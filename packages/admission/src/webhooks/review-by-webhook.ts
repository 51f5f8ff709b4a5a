import {
  type Ambient,
  goQuote,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAXIMUM_OBJECT_BYTES,
  randomUuid,
  type StatusDetails,
  StatusError,
} from '@ashlar/core';
import type { AdmissionRequest } from '../admission-request.ts';
import { explainedDenial, refusedByWebhook } from '../explain-denial.ts';
import { type AdmissionAnswer, admissionReview, readAdmissionAnswer } from './admission-review.ts';
import { callWebhook, type WebhookCaller, webhookHeaders } from './call-webhook.ts';
import type { MatchingEnvironment } from './webhook-matching.ts';
import type { ReadyWebhook, WebhookSource } from './webhook-source.ts';

/** What the webhook plugins need. */
export interface WebhookEnvironment extends MatchingEnvironment {
  readonly ambient: Ambient;
  readonly caller: WebhookCaller;
  readonly source: WebhookSource;
}

/** A webhook gave no valid response: the failure policy decides. */
class WebhookFailure extends Error {}

/**
 * Sends a request to a webhook for review. Its warnings and audit annotations are passed on, whether it allows the request or not.
 * @param review the request of the review, without uid
 * @returns its answer; undefined if it failed and may
 * @throws StatusError its denial, 500 if it failed and must not, 400 for a dry run that it does not support
 */
export async function reviewByWebhook(
  ready: ReadyWebhook,
  request: AdmissionRequest,
  review: JsonObject,
  environment: WebhookEnvironment,
  mayPatch: boolean,
): Promise<AdmissionAnswer | undefined> {
  try {
    return await outcomeOf(ready.webhook, request, review, environment, mayPatch);
  } catch (error) {
    const { webhook, configuration } = ready;
    throw explainedDenial(request, error, () => [refusedByWebhook(webhook.name, configuration)]);
  }
}

async function outcomeOf(
  webhook: ReadyWebhook['webhook'],
  request: AdmissionRequest,
  review: JsonObject,
  environment: WebhookEnvironment,
  mayPatch: boolean,
): Promise<AdmissionAnswer | undefined> {
  const { name, sideEffects } = webhook;
  if (request.dryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun')
    throw StatusError.badRequest(`admission webhook ${goQuote(name)} does not support dry run`);
  let answer: AdmissionAnswer;
  try {
    answer = await answerOf(webhook, request, review, environment, mayPatch);
  } catch (error) {
    if (!(error instanceof WebhookFailure)) throw error;
    if (webhook.failurePolicy === 'Ignore') return undefined;
    throw StatusError.internalError(new Error(`failed calling webhook ${goQuote(name)}: ${error.message}`));
  }
  for (const [key, value] of Object.entries(answer.auditAnnotations))
    request.annotate(`${name}/${key}`, value);
  for (const text of answer.warnings) if (text !== '') request.warn(text);
  if (!answer.allowed) throw denial(name, answer.status);
  return answer;
}

async function answerOf(
  webhook: ReadyWebhook['webhook'],
  request: AdmissionRequest,
  review: JsonObject,
  { ambient, caller, vocabulary }: WebhookEnvironment,
  mayPatch: boolean,
): Promise<AdmissionAnswer> {
  const accepted = webhook.admissionReviewVersions ?? [];
  const asked = failing('', () => admissionReview(review, randomUuid(ambient.random), accepted, vocabulary));
  const call = {
    timeoutSeconds: webhook.timeoutSeconds ?? 10,
    maximumBytes: MAXIMUM_OBJECT_BYTES,
    headers: webhookHeaders(vocabulary),
    signal: request.signal,
  };
  let answer: JsonValue;
  try {
    answer = await callWebhook(caller, webhook.clientConfig, asked as unknown as JsonValue, call);
  } catch (error) {
    throw new WebhookFailure(`failed to call webhook: ${(error as Error).message}`, { cause: error });
  }
  return failing('received invalid webhook response: ', () => readAdmissionAnswer(answer, asked, mayPatch));
}

function failing<T>(prefix: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new WebhookFailure(prefix + (error as Error).message, { cause: error });
  }
}

/** Returns the error of a denied request: what the webhook says of it, with a code of an error. */
function denial(name: string, status: JsonObject): StatusError {
  const { code, message, reason } = status;
  const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
  const why = text(message) || text(reason);
  const denied = `admission webhook ${goQuote(name)} denied the request`;
  const details = detailsOf(status.details ?? null);
  return new StatusError({
    code: typeof code === 'number' && code >= 400 && code <= 599 ? code : 400,
    reason: text(reason),
    message: why === '' ? `${denied} without explanation` : `${denied}: ${why}`,
    ...(details && { details }),
  });
}

/** Returns the details that a webhook gives, without members of other types. */
function detailsOf(value: JsonValue): StatusDetails | undefined {
  if (!isJsonObject(value)) return undefined;
  const details: Record<string, JsonValue> = {};
  for (const name of ['name', 'group', 'kind', 'uid'])
    if (typeof value[name] === 'string') details[name] = value[name] as string;
  if (typeof value.retryAfterSeconds === 'number') details.retryAfterSeconds = value.retryAfterSeconds;
  if (Array.isArray(value.causes)) details.causes = value.causes.filter((cause) => isJsonObject(cause));
  return details;
}
