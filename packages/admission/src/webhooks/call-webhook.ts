import { type DocumentLimits, encodeJsonSteps } from '@ashlar/codec';
import {
  type Clock,
  callOut,
  errorMessage,
  goQuote,
  type JsonValue,
  LateResponseError,
  type OutgoingResponse,
  pause,
  RefusedCallError,
  runInSlices,
  sleepInRequest,
  type Transport,
  type TransportRequest,
  type Turns,
  UnusableResponseError,
  type Vocabulary,
} from '@ashlar/core';
import type { WebhookClientConfig } from './client-config.ts';
import { connectedUrl, type ServiceResolver, serverOf, webhookTls, webhookUrl } from './webhook-address.ts';
import { readWebhookResponseSteps, retryDelayMilliseconds } from './webhook-response.ts';

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
 * @throws Error with the message of the reference server: RefusedCallError for a status other than 2xx, UnusableResponseError for a response
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
  const url = `${webhookUrl(config)}?timeout=${Math.max(1, Math.ceil(longest / 1000))}s`;
  const ambient = { clock, ...(turns && { turns }) };
  try {
    const transport = caller.transportTo?.(serverOf(url)) ?? caller.transport;
    if (!transport) throw new Error('this server calls no webhooks');
    const encoding = runInSlices(encodeJsonSteps(review), ambient);
    // a small review is sent in this turn
    const body = encoding instanceof Promise ? await encoding : encoding;
    const target = await connectedUrl(caller.resolveService, config, url);
    const limits = { transport, clock, maximumBytes: call.maximumBytes, endsAt: started + longest };
    const response = await postPatiently(limits, target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...call.headers },
      body,
      tls: webhookTls(config),
      ...(call.signal && { signal: call.signal }),
    });
    // many that arrive together are read one by one
    if (response.bytes.length > LARGE_RESPONSE) await pause(ambient);
    return await runInSlices(readWebhookResponseSteps(response, call.limits), ambient);
  } catch (error) {
    throw failureOf(error, url);
  }
}

/** Bytes of a response that is read in its turn, as bodies of that size are. */
const LARGE_RESPONSE = 32_768;

/** What bounds the posts of one call. */
interface PostLimits {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly maximumBytes: number;
  /** In milliseconds of the monotonic clock. */
  readonly endsAt: number;
}

/** Posts, and again whenever an overloaded webhook says so. @throws LateResponseError when the time is over */
async function postPatiently(
  { transport, clock, maximumBytes, endsAt }: PostLimits,
  url: string,
  request: TransportRequest,
): Promise<OutgoingResponse> {
  const left = (): number => endsAt - clock.monotonic();
  while (left() > 0) {
    const how = { transport, clock, timeoutMilliseconds: left(), maximumBytes };
    const response = await callOut(how, url, request);
    const delay = retryDelayMilliseconds(response);
    if (delay === undefined) return response;
    const rest = left();
    await sleepInRequest(clock, Math.max(0, Math.min(delay, rest)), request.signal);
    if (delay >= rest) break;
  }
  throw new LateResponseError();
}

function failureOf(error: unknown, url: string): Error {
  if (LateResponseError.is(error))
    return new UnusableResponseError(`Post ${goQuote(url)}: context deadline exceeded`, { cause: error });
  return UnusableResponseError.is(error) || RefusedCallError.is(error)
    ? error
    : new Error(`Post ${goQuote(url)}: ${errorMessage(error)}`, { cause: error });
}
