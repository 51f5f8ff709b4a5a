import { decodeJson } from '@ashlar/codec';
import {
  type ApiObject,
  decodeBase64,
  goQuote,
  groupName,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  runInSlices,
  StatusError,
} from '@ashlar/core';
import { applyJsonPatchSteps, decodeJsonPatch, type JsonPatch } from '@ashlar/patch';
import type { AdmissionPlugin, AdmissionRequest, AdmissionRounds } from '../admission-request.ts';
import { isExempt } from '../matching/exempt-resources.ts';
import { VersionedRequest } from '../matching/versioned-request.ts';
import { reviewByWebhook, type WebhookEnvironment } from './review-by-webhook.ts';
import { type MatchedRequest, matchWebhook } from './webhook-matching.ts';
import type { ReadyWebhook } from './webhook-source.ts';

/** What is known of the first round when the second begins. */
interface FirstRound {
  /** Webhooks that may be called again, and were called before the last change of the object. */
  readonly called: Set<ReadyWebhook['webhook']>;
  readonly again: Set<ReadyWebhook['webhook']>;
  /** The object as the last webhook left it. */
  left: ApiObject | undefined;
}

/**
 * Asks the mutating webhooks of stored configurations one after another, and applies their patches (semantics/admission#outcomes). When one
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
      const first = rounds.remembered(plugin) as FirstRound | undefined;
      const state: FirstRound = first ?? { called: new Set(), again: new Set(), left: undefined };
      rounds.remember(plugin, state);
      // another plugin changed the object between the rounds
      if (rounds.round === 1 && !same(state.left, request.object)) requireAgain(state);
      const webhooks = await source.current(request);
      const object = await askAll(webhooks, request, rounds, state, environment);
      state.left = object;
      return object === request.object ? undefined : object;
    },
  };
  return plugin;
}

function requireAgain({ called, again }: FirstRound): void {
  for (const webhook of called) again.add(webhook);
  called.clear();
}

async function askAll(
  webhooks: readonly ReadyWebhook[],
  request: AdmissionRequest,
  rounds: AdmissionRounds,
  state: FirstRound,
  environment: WebhookEnvironment,
): Promise<ApiObject | undefined> {
  let versioned = new VersionedRequest(request);
  for (const [index, ready] of webhooks.entries()) {
    const { webhook } = ready;
    const matched = await matchWebhook(ready, versioned, environment, 'admit');
    // in the second round no webhook is called for the first time
    if (!matched || (rounds.round === 1 && !state.again.has(webhook))) continue;
    const place = `round_${rounds.round}_index_${index}`;
    const object = await change(ready, versioned.request, matched, environment, place);
    if (object !== versioned.request.object) {
      requireAgain(state);
      rounds.again();
      versioned = new VersionedRequest({ ...request, object });
    }
    if (webhook.reinvocationPolicy === 'IfNeeded') state.called.add(webhook);
  }
  return versioned.request.object;
}

/** Asks one webhook and returns the object as it left it: the same if it changed nothing. */
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
    const answer = await reviewByWebhook(
      ready,
      request,
      matched.review,
      environment,
      'admit',
      async ({ patch }) => {
        if (patch !== '') changed = await patched(patch, webhook.name, request, matched, environment);
        return true;
      },
    );
    if (!answer) request.annotate(`failed-open.${domain}/${place}`, webhook.name);
    return changed;
  } finally {
    const mutated = changed !== request.object;
    request.annotate(`${domain}/${place}`, JSON.stringify({ configuration, webhook: webhook.name, mutated }));
  }
}

/** Applies a patch to the object in the version of the review, and decodes the result. @throws StatusError 500 */
async function patched(
  text: string,
  name: string,
  request: AdmissionRequest,
  { objects, review }: MatchedRequest,
  { ambient }: WebhookEnvironment,
): Promise<ApiObject | undefined> {
  const patch = failing(() => readPatch(text));
  if (patch.length === 0) return request.object;
  const { object, version } = objects;
  if (!object || !request.object) {
    const why = 'attempted to modify the object, which is not supported for this operation';
    throw StatusError.internalError(new Error(`admission webhook ${goQuote(name)} ${why}`));
  }
  const { versions, resource } = request;
  try {
    const steps = applyJsonPatchSteps(review.object as JsonObject, patch);
    const value = withoutEmptyTime(await runInSlices(steps, ambient));
    const decoded = versions ? versions.decode(value, version) : value;
    if (same(decoded, object)) return request.object;
    if (!versions || version === resource.version) return decoded;
    return await versions.convert(decoded, version, resource.version);
  } catch (error) {
    throw StatusError.is(error) ? error : StatusError.internalError(error);
  }
}

function failing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw StatusError.internalError(error);
  }
}

const readPatch = (text: string): JsonPatch => decodeJsonPatch(decodeJson(decodeBase64(text)).value);

/** Removes the empty time of creation with which objects are shown to webhooks. */
function withoutEmptyTime(value: JsonValue): ApiObject {
  const object = value as unknown as ApiObject;
  if ((object?.metadata as { creationTimestamp?: unknown } | undefined)?.creationTimestamp !== null)
    return object;
  const { creationTimestamp: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

const same = (a: unknown, b: unknown): boolean =>
  a === b ||
  (a !== undefined && b !== undefined && jsonEqual(a as unknown as JsonValue, b as unknown as JsonValue));
