import { decodeJson, encodeJson } from '@ashlar/codec';
import {
  type Ambient,
  type ApiObject,
  callOut,
  goQuote,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LateAnswerError,
  type OutgoingAnswer,
  randomUuid,
  StatusError,
  type Transport,
  UnusableAnswerError,
} from '@ashlar/core';
import type { ObjectConverter } from '@ashlar/registry';
import type {
  CustomResourceDefinition,
  WebhookConversion,
} from '../definitions/custom-resource-definition.ts';
import { extensionsGroup } from '../definitions/definition-resource.ts';
import { REVIEW_VERSIONS } from '../validation/validate-conversion.ts';
import { readCertificates } from './ca-bundle.ts';
import { acceptConverted, conversionFailure, converterName } from './converted-objects.ts';

export interface WebhookConverterOptions {
  readonly ambient: Ambient;
  /** Without it every conversion fails. */
  readonly transport: Transport | undefined;
}

const TIMEOUT_SECONDS = 30;
/** Maximum size of a response. */
const MAXIMUM_BYTES = 64 * 1024 * 1024;

/**
 * Converts objects by the webhook that a definition names (semantics/lifecycle#conversion). Objects of one request share one call; its
 * failure affects only them.
 */
export function createWebhookConverter(
  definition: CustomResourceDefinition,
  { ambient, transport }: WebhookConverterOptions,
): ObjectConverter {
  const webhook = definition.spec.conversion?.webhook ?? { conversionReviewVersions: [] };
  return {
    async convert(objects, apiVersion) {
      const [first] = objects;
      if (!first) return [];
      const name = converterName('conversion webhook', first);
      const uid = randomUuid(ambient.random);
      try {
        const review = reviewOf(webhook, ambient, { uid, desiredAPIVersion: apiVersion, objects });
        const answer = await call(webhook, review, ambient, transport);
        return acceptConverted(name, objects, convertedObjects(answer, review, uid), apiVersion);
      } catch (error) {
        if (StatusError.is(error)) throw error;
        const why = error instanceof Error ? error.message : String(error);
        throw conversionFailure(`${name} failed: ${why}`, error);
      }
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
}

/** The request in the first supported version of the review. */
function reviewOf(
  { conversionReviewVersions }: WebhookConversion,
  { vocabulary }: Ambient,
  request: Review['request'],
): Review {
  const version = (conversionReviewVersions ?? []).find((name) => REVIEW_VERSIONS.includes(name));
  if (version === undefined) throw new Error('no supported conversion review versions');
  return { kind: 'ConversionReview', apiVersion: `${extensionsGroup(vocabulary)}/${version}`, request };
}

async function call(
  webhook: WebhookConversion,
  review: Review,
  { clock }: Ambient,
  transport: Transport | undefined,
): Promise<JsonValue> {
  const url = `${addressOf(webhook)}?timeout=${TIMEOUT_SECONDS}s`;
  if (!transport) throw new Error(`Post ${goQuote(url)}: this server calls no webhooks`);
  const how = { transport, clock, timeoutMilliseconds: TIMEOUT_SECONDS * 1000, maximumBytes: MAXIMUM_BYTES };
  try {
    const answer = await callOut(how, url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: encodeJson(review as unknown as JsonValue),
      tls: tlsOf(webhook),
    });
    return readAnswer(answer);
  } catch (error) {
    if (LateAnswerError.is(error))
      throw new Error(`Post ${goQuote(url)}: context deadline exceeded`, { cause: error });
    throw UnusableAnswerError.is(error)
      ? error
      : new Error(`Post ${goQuote(url)}: ${textOf(error)}`, { cause: error });
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function addressOf({ clientConfig }: WebhookConversion): string {
  const { url, service } = clientConfig ?? {};
  if (url !== undefined) return url;
  if (!service) throw new Error('webhook configuration must have either service or URL');
  const { name, namespace, port = 443, path = '' } = service;
  return `https://${name}.${namespace}.svc:${port}${path === '' || path.startsWith('/') ? path : `/${path}`}`;
}

function tlsOf({ clientConfig }: WebhookConversion): {
  certificateAuthorities?: string;
  serverName?: string;
} {
  const { caBundle = '', service } = clientConfig ?? {};
  const certificateAuthorities = caBundle === '' ? undefined : readCertificates(caBundle);
  return {
    ...(certificateAuthorities !== undefined && { certificateAuthorities }),
    ...(service && { serverName: `${service.name}.${service.namespace}.svc` }),
  };
}

/** @throws UnusableAnswerError for a failure, and for invalid JSON */
function readAnswer(answer: OutgoingAnswer): JsonValue {
  if (answer.status < 200 || answer.status > 299) throw new UnusableAnswerError(refusalText(answer));
  try {
    // responses contain lists, whose size depends on the request
    return decodeJson(answer.bytes, { maximumValues: Number.POSITIVE_INFINITY }).value;
  } catch (error) {
    throw new UnusableAnswerError(textOf(error), { cause: error });
  }
}

/** Maximum length of an error message of the webhook that is returned to clients. */
const MAXIMUM_REFUSAL = 2048;

/** Messages of clients for error responses without a message. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

function refusalText({ status, headers, bytes }: OutgoingAnswer): string {
  const message = messageOf(bytes) ?? REFUSALS[status];
  if (message !== undefined) return message;
  if (status < 500)
    return `the server responded with the status code ${status} but did not return more information`;
  const type = headers['content-type'] ?? '';
  const isText = type === '' || type.startsWith('text/');
  const text = isText ? new TextDecoder().decode(bytes.subarray(0, MAXIMUM_REFUSAL)).trim() : 'unknown';
  return `an error on the server (${goQuote(text)}) has prevented the request from succeeding`;
}

/** The message of a Status. */
function messageOf(bytes: Uint8Array): string | undefined {
  try {
    const { value } = decodeJson(bytes);
    const status = isJsonObject(value) && value.kind === 'Status' ? value : {};
    return typeof status.message === 'string' && status.message !== '' ? status.message : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the objects of a response that matches the request. */
function convertedObjects(answer: JsonValue, review: Review, uid: string): readonly JsonValue[] {
  const isNewest = review.apiVersion.endsWith('/v1');
  const object: JsonObject = isJsonObject(answer) ? answer : {};
  if (isNewest && (object.kind !== review.kind || object.apiVersion !== review.apiVersion))
    throw new Error(`expected webhook response of ${kindText(review)}, got ${kindText(object)}`);
  const { response } = object;
  if (!isJsonObject(response ?? null)) throw new Error('no response provided');
  const { uid: given, result, convertedObjects: objects } = response as JsonObject;
  if (isNewest && given !== uid)
    throw new Error(
      `expected response.uid=${goQuote(uid)}, got ${goQuote(typeof given === 'string' ? given : '')}`,
    );
  const { status = '', message = '' } = isJsonObject(result ?? null) ? (result as JsonObject) : {};
  if (status !== 'Success')
    throw new Error(message ? String(message) : `response.result.status was '${status}', not 'Success'`);
  return Array.isArray(objects) ? objects : [];
}

function kindText({ apiVersion, kind }: { readonly apiVersion?: unknown; readonly kind?: unknown }): string {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return `${text(apiVersion)}, Kind=${text(kind)}`;
}
