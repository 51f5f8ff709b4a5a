import type {
  Ambient,
  ForwardedCall,
  ForwardedResponse,
  ServerResponse,
  Transport,
  TransportTls,
} from '@ashlar/core';
import { type ForwardedRequest, textResponse } from '@ashlar/http';
import type { BackendLimiter } from './backend-limiter.ts';
import { type ForwardingRules, forwardedHeaders } from './forwarded-headers.ts';
import { answerOf } from './forwarded-response.ts';
import { forwardedTarget } from './forwarded-target.ts';
import { PACED_BYTES, paced } from './forwarding-pace.ts';

/** Maximum size of a body where a host has no streams. */
const MAXIMUM_BODY_BYTES = 3 * 1024 * 1024;

/** The server that requests are forwarded to, as it is now. */
export interface ForwardingTarget {
  readonly isAvailable: boolean;
  /** @throws Error that says why the server cannot be trusted */
  tls(): TransportTls;
  readonly limiter: BackendLimiter;
  origin(): string | Promise<string>;
}

export interface ForwardingOptions extends ForwardingRules {
  readonly ambient: Pick<Ambient, 'clock' | 'turns'>;
  readonly transport: Transport | undefined;
}

/**
 * Passes a request on, and returns the other server's answer. Where there is none, the response says so: 503, or 429 if too many
 * requests wait for that server.
 * @throws the reason of the request's signal
 */
export async function forward(
  options: ForwardingOptions,
  target: ForwardingTarget,
  request: ForwardedRequest,
): Promise<ServerResponse> {
  const origin = target.isAvailable ? await originOf(target) : undefined;
  if (!origin || !options.transport?.forward) return textResponse(503, 'service unavailable\n');
  const release = target.limiter.acquire();
  if (!release)
    return textResponse(429, 'Too many requests, please try again later.\n', { 'retry-after': '1' });
  const { ambient } = options;
  const { clock } = ambient;
  const started = clock.monotonic();
  const end = new AbortController();
  const leave = (): void => end.abort(request.signal.reason);
  request.signal.addEventListener('abort', leave, { once: true });
  const done = (): void => {
    request.signal.removeEventListener('abort', leave);
    // watches and other protocols hold no place while they run
    release();
  };
  try {
    request.signal.throwIfAborted();
    const response = await call(options, target, request, origin, end.signal);
    if (request.timeLimit === undefined || response.connection) release();
    const timeLeft = request.timeLimit && Math.max(0, started + request.timeLimit - clock.monotonic());
    return answerOf(request, response, origin, { ambient, timeLeft, abort: () => end.abort(), done });
  } catch (error) {
    done();
    end.abort();
    request.signal.throwIfAborted();
    return textResponse(
      503,
      `error trying to reach service: ${error instanceof Error ? error.message : error}\n`,
    );
  }
}

async function originOf(target: ForwardingTarget): Promise<URL | undefined> {
  try {
    return new URL(await target.origin());
  } catch {
    // why is in the condition of the API service
    return undefined;
  }
}

function call(
  options: ForwardingOptions,
  forwardedTo: ForwardingTarget,
  request: ForwardedRequest,
  origin: URL,
  signal: AbortSignal,
): Promise<ForwardedResponse> {
  const { path, target } = forwardedTarget(request);
  const body = bodyOf(request, options.ambient);
  const call: ForwardedCall = {
    ...{ method: request.request.method, target, signal, tls: forwardedTo.tls() },
    headers: forwardedHeaders(request, origin, path, options),
    ...(body && { body }),
    ...(options.ambient.turns && { turns: options.ambient.turns }),
    ...(request.request.upgrade && { switchesProtocols: true }),
  };
  return (options.transport as Required<Transport>).forward(origin.origin, call);
}

function bodyOf(
  { request }: ForwardedRequest,
  ambient: Pick<Ambient, 'turns'>,
): AsyncIterable<Uint8Array> | undefined {
  const announced = request.headers.get('content-length');
  if (request.bodyStream) {
    const pieces = request.bodyStream();
    return pieces && Number(announced ?? Number.POSITIVE_INFINITY) > PACED_BYTES
      ? paced(pieces, ambient)
      : pieces;
  }
  const hasBody = (announced ?? '0') !== '0' || request.headers.get('transfer-encoding') !== undefined;
  return hasBody ? wholeBody(request) : undefined;
}

async function* wholeBody(request: ForwardedRequest['request']): AsyncIterable<Uint8Array> {
  yield await request.body(MAXIMUM_BODY_BYTES);
}
