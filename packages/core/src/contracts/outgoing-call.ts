import { CodedError } from '../errors/coded-error.ts';
import { ByteGatherer } from '../values/byte-gatherer.ts';
import type { Clock } from './ambient.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** How an external service is called. */
export interface OutgoingCallOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Timeout in milliseconds; default 30,000. */
  readonly timeoutMilliseconds?: number;
  /** Maximum size of the response in bytes; default 1 MiB. */
  readonly maximumBytes?: number;
}

/** A response of any status. */
export interface OutgoingResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** A response that cannot be used; a retry would hardly return a better one. */
export class UnusableResponseError extends CodedError {
  static override readonly code: string = 'ERR_UNUSABLE_RESPONSE';
  override readonly name: string = 'UnusableResponseError';
}

/** No response before the timeout. */
export class LateResponseError extends UnusableResponseError {
  static override readonly code: string = 'ERR_LATE_RESPONSE';
  override readonly name: string = 'LateResponseError';

  constructor() {
    super('the response is late');
  }
}

/** A response with a status other than 2xx. */
export class RefusedCallError extends CodedError {
  static override readonly code: string = 'ERR_REFUSED_CALL';
  override readonly name: string = 'RefusedCallError';
  readonly status: number;

  constructor(status: number, message: string = `the response has the status ${status}`) {
    super(message);
    this.status = status;
  }
}

/**
 * Calls an external service and reads its response. Errors contain nothing of the request.
 * @throws LateResponseError
 * @throws UnusableResponseError for a response that is too long
 * @throws Error of the transport, and the reason of the request's signal
 */
export async function callOut(
  options: OutgoingCallOptions,
  url: string,
  request: TransportRequest,
): Promise<OutgoingResponse> {
  const { transport, clock, timeoutMilliseconds = 30_000, maximumBytes = 1024 * 1024 } = options;
  request.signal?.throwIfAborted();
  const end = new AbortController();
  const timer = clock.setTimer(timeoutMilliseconds, () => end.abort(new LateResponseError()));
  const leave = (): void => end.abort(request.signal?.reason);
  request.signal?.addEventListener('abort', leave, { once: true });
  try {
    const response = await transport.request(url, { ...request, signal: end.signal });
    const { status, headers } = response;
    return { status, headers, bytes: await readUpTo(response, maximumBytes) };
  } catch (error) {
    // Transports word an abort differently: report what ended the call.
    throw end.signal.aborted ? end.signal.reason : error;
  } finally {
    timer.clear();
    request.signal?.removeEventListener('abort', leave);
  }
}

/**
 * As {@link callOut}, returning the body of a 2xx response.
 * @throws RefusedCallError
 */
export async function callForBytes(
  options: OutgoingCallOptions,
  url: string,
  request: TransportRequest,
): Promise<Uint8Array> {
  const { status, bytes } = await callOut(options, url, request);
  if (status < 200 || status > 299) throw new RefusedCallError(status);
  return bytes;
}

async function readUpTo(response: TransportResponse, maximum: number): Promise<Uint8Array> {
  const gatherer = new ByteGatherer();
  for await (const piece of response.stream()) {
    if (gatherer.length + piece.length > maximum) throw new UnusableResponseError('the response is too long');
    gatherer.add(piece);
  }
  return gatherer.toBytes();
}
