import {
  callWebhook,
  isNewestReview,
  readReviewSteps,
  requireDeclaredType,
  type ServiceResolver,
  WEBHOOK_REVIEW_VERSIONS,
  webhookHeaders,
} from '@ashlar/admission';
import {
  type Ambient,
  type ApiObject,
  goQuote,
  type JsonObject,
  type JsonValue,
  randomUuid,
  runInSlices,
  type Transport,
} from '@ashlar/core';
import type { ObjectConverter } from '@ashlar/registry';
import type {
  CustomResourceDefinition,
  WebhookConversion,
} from '../definitions/custom-resource-definition.ts';
import { extensionsGroup } from '../definitions/definition-resource.ts';
import type { ConversionMetrics, EnterStep, MeasuredConversion } from './conversion-metrics.ts';
import { acceptConvertedSteps, converterError, converterName } from './converted-objects.ts';

export interface WebhookConverterOptions {
  readonly ambient: Ambient;
  /** Without it every conversion fails. */
  readonly transport: Transport | undefined;
  readonly resolveService?: ServiceResolver | undefined;
  readonly metrics?: ConversionMetrics | undefined;
}

const CALL = {
  timeoutSeconds: 30,
  maximumBytes: 64 * 1024 * 1024,
  // responses contain lists, whose size depends on the request; each of their objects is copied in one step
  limits: { maximumValues: Number.POSITIVE_INFINITY, maximumMembers: 31_250 },
};

/** What a review has as a response before it is answered. */
const NO_RESPONSE = { convertedObjects: null, result: { metadata: {} }, uid: '' };

/**
 * Converts objects by the webhook that a definition names (semantics/lifecycle#conversion). Objects of one request share one call; its
 * failure affects only them.
 */
export function createWebhookConverter(
  definition: CustomResourceDefinition,
  { ambient, transport, resolveService, metrics }: WebhookConverterOptions,
): ObjectConverter {
  const webhook = definition.spec.conversion?.webhook ?? { conversionReviewVersions: [] };
  const caller = { clock: ambient.clock, turns: ambient.turns, transport, resolveService };
  const call = { ...CALL, headers: webhookHeaders(ambient.vocabulary) };
  const convertAll = async (
    { objects, apiVersion }: MeasuredConversion,
    enter: EnterStep,
  ): Promise<readonly ApiObject[]> => {
    const name = converterName('conversion webhook', objects[0] as ApiObject);
    const uid = randomUuid(ambient.random);
    try {
      const review = reviewOf(webhook, ambient, { uid, desiredAPIVersion: apiVersion, objects });
      const config = webhook.clientConfig ?? {};
      enter('call');
      const result = await callWebhook(caller, config, review as unknown as JsonValue, call);
      const read = await runInSlices(readReviewSteps(result, review), ambient);
      enter('malformed_response');
      const converted = convertedObjects(read, review, uid);
      enter(converted.length === objects.length ? 'invalid_converted_object' : 'partial_response');
      return await runInSlices(acceptConvertedSteps(name, objects, converted, apiVersion), ambient);
    } catch (error) {
      throw converterError(name, error);
    }
  };
  return {
    mayChange: true,
    async convert(objects, apiVersion) {
      if (objects.length === 0) return [];
      const conversion = { definition: definition.metadata.name ?? '', objects, apiVersion };
      const run = (enter: EnterStep) => convertAll(conversion, enter);
      return metrics ? metrics.measure(conversion, run) : run(() => {});
    },
  };
}

interface Review {
  readonly kind: 'ConversionReview';
  readonly apiVersion: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly ApiObject[];
  };
  readonly response: typeof NO_RESPONSE;
}

/** The request in the first supported version of the review. */
function reviewOf(
  { conversionReviewVersions }: WebhookConversion,
  { vocabulary }: Ambient,
  request: Review['request'],
): Review {
  const version = (conversionReviewVersions ?? []).find((name) => WEBHOOK_REVIEW_VERSIONS.includes(name));
  if (version === undefined) throw new Error('no supported conversion review versions');
  return {
    kind: 'ConversionReview',
    apiVersion: `${extensionsGroup(vocabulary)}/${version}`,
    request,
    response: NO_RESPONSE,
  };
}

/** Returns the objects of a response that matches the request. */
function convertedObjects(read: JsonObject, review: Review, expected: string): readonly JsonValue[] {
  requireDeclaredType(read, review);
  const { response } = read as { readonly response?: DecodedResponse };
  if (!response) throw new Error('no response provided');
  const { uid = '', result, convertedObjects: objects } = response;
  if (isNewestReview(review) && uid !== expected)
    throw new Error(`expected response.uid=${goQuote(expected)}, got ${goQuote(uid)}`);
  const { status = '', message = '' } = result ?? {};
  if (status !== 'Success')
    throw new Error(message === '' ? `response.result.status was '${status}', not 'Success'` : message);
  return objects ?? [];
}

/** A response as its type has it. */
interface DecodedResponse {
  readonly uid?: string;
  readonly result?: { readonly status?: string; readonly message?: string };
  readonly convertedObjects?: readonly JsonValue[] | null;
}
