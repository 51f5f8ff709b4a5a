import { decodeJsonSteps, decodeUtf8, encodeJsonSteps } from '@ashlar/codec';
import {
  type Ambient,
  type ApiObject,
  compareUtf8,
  goQuote,
  groupName,
  type JsonObject,
  type JsonValue,
  objectOf,
  runInSlices,
  StatusError,
  type Steps,
} from '@ashlar/core';
import {
  applyJsonPatchSteps,
  decodeJsonPatchSteps,
  type JsonPatch,
  type JsonPatchOperation,
} from '@ashlar/patch';
import type { AdmissionPlugin, AdmissionRequest } from '../admission-request.ts';
import { isExempt } from '../matching/exempt-resources.ts';
import { PausesBetween } from '../matching/pauses-between.ts';
import { sameObject } from '../matching/same-object.ts';
import { VersionedRequest } from '../matching/versioned-request.ts';
import { Reinvocation } from '../reinvocation.ts';
import { type AdmissionResponse, JSON_PATCH } from './admission-response.ts';
import { whileWaiting } from './request-waits.ts';
import { denial, reviewByWebhook, type WebhookEnvironment, WebhookFailure } from './review-by-webhook.ts';
import { type MatchedRequest, matchWebhook } from './webhook-matching.ts';
import type { ReadyWebhook } from './webhook-source.ts';

/**
 * Calls the mutating webhooks of stored configurations one after another, and applies their patches (semantics/admission#outcomes). When one
 * changes the object, those before it whose reinvocation policy allows it are called once more in a second round.
 */
export function createMutatingWebhooks(environment: WebhookEnvironment): AdmissionPlugin {
  const { source, vocabulary } = environment;
  const plugin: AdmissionPlugin = {
    name: 'MutatingAdmissionWebhook',
    handles: (request) => {
      const webhooks = source.current(request);
      return (webhooks instanceof Promise || webhooks.length > 0) && !isExempt(request, vocabulary);
    },
    async admit(request, rounds) {
      const webhooks = await source.current(request);
      return Reinvocation.inRound<ReadyWebhook['webhook']>(plugin, request, rounds, (reinvocation) =>
        callAll(webhooks, request, rounds.round, reinvocation, environment),
      );
    },
  };
  return plugin;
}

async function callAll(
  webhooks: readonly ReadyWebhook[],
  request: AdmissionRequest,
  round: 0 | 1,
  reinvocation: Reinvocation<ReadyWebhook['webhook']>,
  environment: WebhookEnvironment,
): Promise<ApiObject | undefined> {
  let versioned = new VersionedRequest(request);
  const pauses = new PausesBetween(environment.ambient);
  for (const ready of webhooks) {
    const rest = pauses.next();
    if (rest) await rest;
    const { webhook, index } = ready;
    const matched = await matchWebhook(ready, versioned, environment, 'admit');
    if (!matched || !reinvocation.isDue(webhook)) continue;
    const place = `round_${round}_index_${index}`;
    const current = versioned.request;
    const object = await whileWaiting('mutating-webhook', request, environment.ambient.clock, () =>
      change(ready, current, matched, environment, place),
    );
    if (object !== versioned.request.object) {
      reinvocation.changed();
      versioned = new VersionedRequest({ ...request, object });
    }
    if (webhook.reinvocationPolicy === 'IfNeeded') reinvocation.called(webhook);
  }
  return versioned.request.object;
}

/** Calls one webhook and returns the object as it left it: the same if it changed nothing. */
async function change(
  ready: ReadyWebhook,
  request: AdmissionRequest,
  matched: MatchedRequest,
  environment: WebhookEnvironment,
  place: string,
): Promise<ApiObject | undefined> {
  const { webhook, configuration } = ready;
  const domain = `mutation.webhook.${groupName(environment.vocabulary, 'admission.')}`;
  let changed = request.object;
  try {
    const response = await reviewByWebhook(
      ready,
      request,
      matched.review,
      environment,
      'admit',
      async (response) => {
        if (response.patch.length === 0) return;
        const patch = await decodePatch(response.patch, environment.ambient);
        if (patch.length === 0) return;
        changed = await patched(patch, response, webhook.name, request, matched, environment);
        await annotatePatch(patch, response);
      },
    );
    if (!response) request.annotate(`failed-open.${domain}/${place}`, webhook.name);
    return changed;
  } finally {
    const mutated = changed !== request.object;
    request.annotate(`${domain}/${place}`, JSON.stringify({ configuration, webhook: webhook.name, mutated }));
  }

  async function annotatePatch(patch: JsonPatch, { patchType }: AdmissionResponse): Promise<void> {
    if (!request.annotateContent) return;
    const written = await runInSlices(encodeInOrderSteps(patch), environment.ambient);
    const key = `patch.webhook.${groupName(environment.vocabulary, 'admission.')}/${place}`;
    request.annotateContent(key, () => {
      const names = JSON.stringify({ configuration, webhook: webhook.name }).slice(0, -1);
      return `${names},"patch":${decodeUtf8(written)},"patchType":${JSON.stringify(patchType)}}`;
    });
  }
}

/** Encodes a patch as events show it: each operation with its members in the order of their names. */
function* encodeInOrderSteps(patch: JsonPatch): Steps<Uint8Array> {
  const ordered: JsonPatchOperation[] = [];
  for (const operation of patch) {
    ordered.push(inOrder(operation));
    if (ordered.length % OPERATIONS_PER_STEP === 0) yield;
  }
  return yield* encodeJsonSteps(ordered);
}

/** Operations that are ordered between two pauses. */
const OPERATIONS_PER_STEP = 1024;

const inOrder = (operation: JsonPatchOperation): JsonPatchOperation =>
  operation && objectOf(Object.entries(operation).sort(([a], [b]) => compareUtf8(a, b)));

/**
 * Applies a patch to the object in the version of the review, and decodes the result.
 * @throws StatusError 500; WebhookFailure for a patch of an unknown type
 */
async function patched(
  patch: JsonPatch,
  { patchType, status }: AdmissionResponse,
  name: string,
  request: AdmissionRequest,
  { objects, review }: MatchedRequest,
  { ambient }: WebhookEnvironment,
): Promise<ApiObject | undefined> {
  const { object, version } = objects;
  if (!object || !request.object) {
    const why = 'attempted to modify the object, which is not supported for this operation';
    throw StatusError.internalError(new Error(`admission webhook ${goQuote(name)} ${why}`));
  }
  if (patchType !== JSON_PATCH)
    throw new WebhookFailure(`unsupported patch type ${goQuote(patchType)}`, denial(name, status).code);
  const { versions, resource } = request;
  try {
    const steps = applyJsonPatchSteps(review.object as JsonObject, patch);
    const value = withoutEmptyTime(await runInSlices(steps, ambient));
    const decoded = versions ? await runInSlices(versions.decodeSteps(value, version), ambient) : value;
    if (sameObject(decoded, object)) return request.object;
    if (!versions || version === resource.version) return decoded;
    return await versions.convert(decoded, version, resource.version);
  } catch (error) {
    throw StatusError.is(error) ? error : StatusError.internalError(error);
  }
}

/** @throws StatusError 500 */
async function decodePatch(bytes: Uint8Array, ambient: Ambient): Promise<JsonPatch> {
  try {
    const { value } = await runInSlices(decodeJsonSteps(bytes), ambient);
    return await runInSlices(decodeJsonPatchSteps(value), ambient);
  } catch (error) {
    throw StatusError.internalError(error);
  }
}

/** Removes the empty time of creation with which objects are shown to webhooks. */
function withoutEmptyTime(value: JsonValue): ApiObject {
  const object = value as unknown as ApiObject;
  if ((object?.metadata as { creationTimestamp?: unknown } | undefined)?.creationTimestamp !== null)
    return object;
  const { creationTimestamp: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
