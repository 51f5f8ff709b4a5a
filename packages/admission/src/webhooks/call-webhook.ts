import {
  DecodeError,
  type DocumentLimits,
  decodeJsonSteps,
  decodeYamlSteps,
  encodeJsonSteps,
  unreadableKind,
} from '@ashlar/codec';
import {
  type Clock,
  callOut,
  errorMessage,
  goQuote,
  isJsonObject,
  type JsonValue,
  LateResponseError,
  type OutgoingResponse,
  pause,
  RefusedCallError,
  runInSlices,
  type Steps,
  sleepInRequest,
  type Transport,
  type TransportTls,
  type Turns,
  UnusableResponseError,
  type Vocabulary,
} from '@ashlar/core';
import { readCertificates } from './ca-bundle.ts';
import type { ServiceReference, WebhookClientConfig } from './client-config.ts';

/**
 * Returns the origin at which a service of the cluster is reached: `https://10.0.0.1:443`. The TLS server name is that of the service,
 * whatever the origin. What it throws is the error of the call: `service "x" not found`.
 */
export type ServiceResolver = (
  service: ServiceReference & { readonly port: number },
) => string | Promise<string>;

/** How webhooks are called. */
export interface WebhookCaller {
  readonly clock: Clock;
  /** Lets others in while a large review is encoded or its response decoded. */
  readonly turns?: Turns | undefined;
  /** Without it every call fails. */
  readonly transport: Transport | undefined;
  /** The transport for a server, such as `hook.n.svc:443`, if it has one of its own: one with credentials. */
  readonly transportTo?: ((server: string) => Transport | undefined) | undefined;
  /** By default services are reached by their DNS name. */
  readonly resolveService?: ServiceResolver | undefined;
}

/** Limits of one call. */
export interface WebhookCall {
  readonly timeoutSeconds: number;
  /** When the call ends at the latest, in milliseconds of the monotonic clock; by default after its timeout. */
  readonly endsAt?: number | undefined;
  /** Maximum size of the response. */
  readonly maximumBytes: number;
  /** Limits of the values of the response; default those of request bodies. */
  readonly limits?: DocumentLimits;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Headers of the reviews that admission and conversion webhooks receive. */
export const webhookHeaders = ({ namespacePrefix }: Vocabulary): Readonly<Record<string, string>> => ({
  accept: 'application/json, */*',
  'user-agent': `${namespacePrefix}-apiserver-admission`,
});

/**
 * Posts a review to a webhook and returns its response, whatever it says. A webhook that is overloaded is called again when it says so,
 * until the time is over; redirects are not followed.
 * @throws Error whose message is that of the reference: RefusedCallError for a status other than 2xx, UnusableResponseError for a response
 * that is late or no JSON
 */
export async function callWebhook(
  caller: WebhookCaller,
  config: WebhookClientConfig,
  review: JsonValue,
  call: WebhookCall,
): Promise<JsonValue> {
  const { clock, turns } = caller;
  const started = clock.monotonic();
  const longest = Math.min(call.timeoutSeconds * 1000, (call.endsAt ?? Number.POSITIVE_INFINITY) - started);
  const url = `${addressOf(config)}?timeout=${Math.max(1, Math.ceil(longest / 1000))}s`;
  const ambient = { clock, ...(turns && { turns }) };
  try {
    const transport = caller.transportTo?.(serverOf(url)) ?? caller.transport;
    if (!transport) throw new Error('this server calls no webhooks');
    const encoding = runInSlices(encodeJsonSteps(review), ambient);
    // a small review is sent in this turn
    const body = encoding instanceof Promise ? await encoding : encoding;
    const end = started + longest;
    const target = await targetOf(caller, config, url);
    for (;;) {
      const timeoutMilliseconds = end - clock.monotonic();
      if (timeoutMilliseconds <= 0) throw new LateResponseError();
      const how = { transport, clock, timeoutMilliseconds, maximumBytes: call.maximumBytes };
      const response = await callOut(how, target, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...call.headers },
        body,
        tls: tlsOf(config),
        ...(call.signal && { signal: call.signal }),
      });
      const milliseconds = pauseOf(response);
      if (milliseconds === undefined) {
        // many that arrive together are read one by one
        if (response.bytes.length > LARGE_RESPONSE) await pause(ambient);
        return await runInSlices(readResponseSteps(response, call.limits), ambient);
      }
      if (clock.monotonic() + milliseconds >= end) {
        await sleepInRequest(clock, Math.max(0, end - clock.monotonic()), call.signal);
        throw new LateResponseError();
      }
      await sleepInRequest(clock, milliseconds, call.signal);
    }
  } catch (error) {
    throw failureOf(error, url);
  }
}

/** Bytes of a response that is read in its turn, as bodies of that size are. */
const LARGE_RESPONSE = 32_768;

/** Host and port of a URL, with the port also where it is the usual one. */
function serverOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || '443'}`;
}

function failureOf(error: unknown, url: string): Error {
  if (LateResponseError.is(error))
    return new UnusableResponseError(`Post ${goQuote(url)}: context deadline exceeded`, { cause: error });
  return UnusableResponseError.is(error) || RefusedCallError.is(error)
    ? error
    : new Error(`Post ${goQuote(url)}: ${errorMessage(error)}`, { cause: error });
}

/** The URL of a webhook; its path is cleaned as by the client of the reference: `//a/./b/` is `/a/b`. */
function addressOf({ url, service }: WebhookClientConfig): string {
  if (url !== undefined) {
    const [origin = url] = /^https?:\/\/[^/]*/i.exec(url) ?? [];
    return origin + cleanPath(url.slice(origin.length));
  }
  if (!service) throw new Error('webhook configuration must have either service or URL');
  const { name, namespace, port = 443, path = '' } = service;
  return `https://${name}.${namespace}.svc:${port}${cleanPath(path)}`;
}

/** What is doubled, goes up or stays, or is at the end of a path. */
const UNCLEAN = /\/\/|\/\.{1,2}(?:\/|$)|\/$/;

function cleanPath(path: string): string {
  if (path.startsWith('/') && !UNCLEAN.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Returns the URL that is connected to; messages name the other one. */
async function targetOf(
  { resolveService }: WebhookCaller,
  { service }: WebhookClientConfig,
  url: string,
): Promise<string> {
  if (!service || !resolveService) return url;
  const port = service.port ?? 443;
  const origin = await resolveService({ ...service, port });
  return origin + url.slice(`https://${service.name}.${service.namespace}.svc:${port}`.length);
}

/** How servers of configurations are verified: every call asks. */
const verifications: WeakMap<WebhookClientConfig, TransportTls> = new WeakMap();

function tlsOf(config: WebhookClientConfig): TransportTls {
  const cached = verifications.get(config);
  if (cached) return cached;
  const tls = verificationOf(config);
  verifications.set(config, tls);
  return tls;
}

function verificationOf({ caBundle = '', service }: WebhookClientConfig): TransportTls {
  const certificateAuthorities = caBundle === '' ? undefined : readCertificates(caBundle);
  return {
    ...(certificateAuthorities !== undefined && { certificateAuthorities }),
    ...(service && { serverName: `${service.name}.${service.namespace}.svc` }),
  };
}

/** Returns the milliseconds after which an overloaded webhook wants to be called again. */
function pauseOf({ status, headers }: OutgoingResponse): number | undefined {
  const seconds = headers['retry-after'] ?? '';
  if ((status !== 429 && status < 500) || !/^[0-9]{1,4}$/.test(seconds)) return undefined;
  // even a webhook that says 0 is not called without a pause
  return Math.max(1, Number(seconds)) * 1000;
}

/** The last of the statuses that stand for success. */
const LAST_SUCCESS = 206;

/** @throws RefusedCallError for another status, UnusableResponseError for what is neither JSON nor YAML */
function* readResponseSteps(
  response: OutgoingResponse,
  limits: DocumentLimits | undefined,
): Steps<JsonValue> {
  if (response.status < 200 || response.status > LAST_SUCCESS)
    throw new RefusedCallError(response.status, yield* refusalTextSteps(response));
  if (response.bytes.length === 0) throw new UnusableResponseError(emptyText(response));
  try {
    const decode = isJson(response.bytes) ? decodeJsonSteps : decodeYamlSteps;
    return (yield* decode(response.bytes, limits)).value;
  } catch (error) {
    const why = errorMessage(error);
    const isTooLarge = DecodeError.is(error) && error.kind === 'too-large';
    throw new UnusableResponseError(isTooLarge ? why : unreadableKind(why), { cause: error });
  }
}

/** Whether a text begins as an object of JSON does; others are read as YAML, whatever their content type. */
function isJson(bytes: Uint8Array): boolean {
  return bytes.find((byte) => byte > SPACE) === BRACE;
}

const SPACE = 0x20;
const BRACE = 0x7b;

const emptyText = ({ status, headers }: OutgoingResponse): string =>
  `0-length response with status code: ${status} and content type: ${headers['content-type'] || 'application/json'}`;

/** Maximum length of an error message of the webhook that is returned to clients. */
const MAXIMUM_REFUSAL = 2048;

const NOT_FOUND = 'the server could not find the requested resource';
/** What stands for the text of a response that has none. */
const UNKNOWN = 'unknown';

/** Messages of clients for error responses without a message. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: NOT_FOUND,
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

function* refusalTextSteps({ status, headers, bytes }: OutgoingResponse): Steps<string> {
  if (REDIRECTS.has(status)) return NOT_FOUND;
  const message = (yield* messageSteps(bytes)) ?? REFUSALS[status];
  if (message !== undefined) return message;
  const type = headers['content-type'] ?? '';
  const isText = type === '' || type.startsWith('text/');
  const text = isText ? new TextDecoder().decode(bytes.subarray(0, MAXIMUM_REFUSAL)).trim() : UNKNOWN;
  if (status === 406 && (text === '' || text === UNKNOWN))
    return 'the server was unable to respond with a content type that the client supports';
  if (EXPLAINED.has(status)) return text;
  return status < 500
    ? `the server responded with the status code ${status} but did not return more information`
    : `an error on the server (${goQuote(text)}) has prevented the request from succeeding`;
}

/** Statuses that lead to another address, and are not followed. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Statuses whose text is returned to clients. */
const EXPLAINED: ReadonlySet<number> = new Set([403, 406, 415]);

/** The message of a Status. */
function* messageSteps(bytes: Uint8Array): Steps<string | undefined> {
  try {
    const { value } = yield* decodeJsonSteps(bytes);
    const status = isJsonObject(value) && value.kind === 'Status' && value.apiVersion === 'v1' ? value : {};
    return typeof status.message === 'string' && status.message !== '' ? status.message : undefined;
  } catch {
    return undefined;
  }
}
