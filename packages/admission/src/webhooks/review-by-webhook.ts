import {
  type Ambient,
  type Failure,
  goQuote,
  type JsonObject,
  type JsonValue,
  MAXIMUM_OBJECT_BYTES,
  qualifiedNameErrors,
  RefusedCallError,
  randomUuid,
  runInSlices,
  StatusError,
  type Steps,
  UnusableResponseError,
} from '@ashlar/core';
import type { AdmissionStep, WebhookOutcome } from '../admission-metrics.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { explainedDenial, refusedByWebhook } from '../explain-denial.ts';
import { type AdmissionResponse, readAdmissionResponse } from './admission-response.ts';
import { type AdmissionReview, admissionReview } from './admission-review.ts';
import { callWebhook, type WebhookCaller, webhookHeaders } from './call-webhook.ts';
import type { Webhook } from './webhook-configuration.ts';
import type { MatchingEnvironment } from './webhook-matching.ts';
import type { ReadyWebhook, WebhookSource } from './webhook-source.ts';

/** What the webhook plugins need. */
export interface WebhookEnvironment extends MatchingEnvironment {
  readonly ambient: Ambient;
  readonly caller: WebhookCaller;
  readonly source: WebhookSource;
}

/** Codes of failures in metrics. */
const NO_RESPONSE = 400;
const INVALID_RESPONSE = 503;

/** A webhook gave no valid response: the failure policy decides. */
export class WebhookFailure extends Error {
  /** As the metrics have it: that of its response, or one of those below. */
  readonly code: number;

  constructor(message: string, code: number, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/**
 * Sends a request to a webhook for review. Its warnings and audit annotations are passed on, whether it allows the request or not.
 * @param review the request of the review, without uid
 * @param use does what an allowing answer says; a mutating webhook's may have a patch
 * @returns whether it allowed the request; false if it failed and may
 * @throws StatusError its denial, 500 if it failed and must not, 400 for a dry run that it does not support
 */
export async function reviewByWebhook(
  ready: ReadyWebhook,
  request: AdmissionRequest,
  review: JsonObject,
  environment: WebhookEnvironment,
  step: AdmissionStep,
  use: (response: AdmissionResponse) => unknown,
): Promise<boolean> {
  const { webhook, configuration } = ready;
  const { metrics } = environment;
  const start = metrics?.now() ?? 0;
  let outcome: WebhookOutcome = { kind: 'broken' };
  try {
    requireDryRun(webhook, request);
    const response = await responseOf(webhook, request, review, environment, step === 'admit');
    await runInSlices(passOn(response, webhook.name, request), environment.ambient);
    if (!response.allowed) {
      const denied = denial(webhook.name, response.status);
      outcome = { kind: 'denied', code: denied.code };
      throw denied;
    }
    await use(response);
    outcome = { kind: 'allowed' };
    return true;
  } catch (error) {
    let thrown = error;
    if (error instanceof WebhookFailure) {
      const isIgnored = webhook.failurePolicy === 'Ignore';
      outcome = { kind: 'failed', code: error.code, isIgnored, isCanceled: request.signal?.aborted === true };
      if (isIgnored) return false;
      const failed = `failed calling webhook ${goQuote(webhook.name)}: ${error.message}`;
      thrown = StatusError.internalError(new Error(failed));
    }
    throw explainedDenial(request, thrown, () => [refusedByWebhook(webhook.name, configuration)]);
  } finally {
    metrics?.webhookDone(webhook.name, step, request, outcome, start);
  }
}

/** @throws StatusError 400 */
function requireDryRun({ name, sideEffects }: Webhook, { dryRun }: AdmissionRequest): void {
  if (dryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun')
    throw StatusError.badRequest(`admission webhook ${goQuote(name)} does not support dry run`);
}

function* passOn(
  { auditAnnotations, warnings }: AdmissionResponse,
  name: string,
  request: AdmissionRequest,
): Steps<void> {
  for (const [i, [key, value]] of Object.entries(auditAnnotations).entries()) {
    const full = `${name}/${key}`;
    if (key !== '' && qualifiedNameErrors(full).length === 0) request.annotate(full, value);
    if (i % STRIDE === STRIDE - 1) yield;
  }
  for (const [i, text] of warnings.entries()) {
    if (text !== '') request.warn(text);
    if (i % STRIDE === STRIDE - 1) yield;
  }
}

/** Texts that are passed on between pauses. */
const STRIDE = 4096;

async function responseOf(
  webhook: Webhook,
  request: AdmissionRequest,
  review: JsonObject,
  { ambient, caller, vocabulary }: WebhookEnvironment,
  mayPatch: boolean,
): Promise<AdmissionResponse> {
  const accepted = webhook.admissionReviewVersions ?? [];
  const uid = randomUuid(ambient.random);
  const reviewRequest = reviewFor(review, uid, accepted, vocabulary);
  const call = {
    timeoutSeconds: webhook.timeoutSeconds ?? 10,
    maximumBytes: MAXIMUM_OBJECT_BYTES,
    headers: webhookHeaders(vocabulary),
    signal: request.signal,
    endsAt: request.endsAt,
  };
  let response: JsonValue;
  try {
    response = await callWebhook(caller, webhook.clientConfig, reviewRequest as unknown as JsonValue, call);
  } catch (error) {
    const code = RefusedCallError.is(error) ? error.status : NO_RESPONSE;
    throw new WebhookFailure(`failed to call webhook: ${(error as Error).message}`, code, error);
  }
  try {
    return await runInSlices(readAdmissionResponse(response, reviewRequest, mayPatch), ambient);
  } catch (error) {
    const { message } = error as Error;
    throw UnusableResponseError.is(error)
      ? new WebhookFailure(`failed to call webhook: ${message}`, NO_RESPONSE, error)
      : new WebhookFailure(`received invalid webhook response: ${message}`, INVALID_RESPONSE, error);
  }
}

function reviewFor(...of: Parameters<typeof admissionReview>): AdmissionReview {
  try {
    return admissionReview(...of);
  } catch (error) {
    throw new WebhookFailure((error as Error).message, NO_RESPONSE, error);
  }
}

/** Returns the error of a denied request: what the webhook says of it, with a code of an error. */
export function denial(name: string, status: JsonObject): StatusError {
  const { code = 0, message = '', reason = '', details, metadata } = status as WebhookStatus;
  const why = message || reason;
  const denied = `admission webhook ${goQuote(name)} denied the request`;
  return new StatusError({
    code: code >= 400 && code <= LARGEST_CODE ? code : 400,
    reason,
    message: why === '' ? `${denied} without explanation` : `${denied}: ${why}`,
    ...(details && { details }),
    ...(metadata && { metadata }),
  });
}

/** A status of a response, as it is decoded. */
type WebhookStatus = Partial<Pick<Failure, 'code' | 'message' | 'reason' | 'details' | 'metadata'>>;

/** The largest code that a response of HTTP can have. */
const LARGEST_CODE = 999;
