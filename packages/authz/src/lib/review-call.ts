import { decodeJson } from '@ashlar/codec';
import {
  type Ambient,
  type JsonValue,
  sleep,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '@ashlar/core';

/** How a webhook is called. Times are in milliseconds. */
export interface ReviewCallOptions {
  readonly ambient: Pick<Ambient, 'clock' | 'random'>;
  readonly transport: Transport;
  readonly url: string;
  readonly timeoutMilliseconds: number;
}

/** Attempts at one call. */
const ATTEMPTS = 5;
const FIRST_PAUSE = 500;
const FACTOR = 1.5;
const JITTER = 0.2;
/** Longest answer that is read. */
const MAXIMUM_BYTES = 1024 * 1024;

/** A failure that another attempt would not mend. */
class LastingError extends Error {}

/**
 * Posts something and reads the JSON of a successful answer; again, with growing pauses, where the network fails or the other side is
 * busy or broken (semantics K3, K10). Nothing of the request is in an error.
 * @throws Error in the end, and the reason of the signal at once
 */
export async function callReview(options: ReviewCallOptions, request: TransportRequest): Promise<JsonValue> {
  const { ambient } = options;
  for (let attempt = 1, pause = FIRST_PAUSE; ; attempt++, pause *= FACTOR) {
    request.signal?.throwIfAborted();
    try {
      return await callOnce(options, request);
    } catch (error) {
      if (attempt >= ATTEMPTS || error instanceof LastingError || request.signal?.aborted) throw error;
      await sleep(ambient.clock, pause * (1 + JITTER * fraction(ambient)), request.signal);
    }
  }
}

/** From 0 to 1. */
const fraction = ({ random }: ReviewCallOptions['ambient']): number =>
  (random.bytes(new Uint8Array(1))[0] ?? 0) / 256;

async function callOnce(
  { ambient, transport, url, timeoutMilliseconds }: ReviewCallOptions,
  request: TransportRequest,
): Promise<JsonValue> {
  const late = new AbortController();
  const timer = ambient.clock.setTimer(timeoutMilliseconds, () =>
    late.abort(new LastingError('the answer is late')),
  );
  const leave = (): void => late.abort(request.signal?.reason);
  request.signal?.addEventListener('abort', leave, { once: true });
  try {
    return await read(await transport.request(url, { ...request, signal: late.signal }));
  } catch (error) {
    // whatever a transport makes of it: what ended the call is what is told
    throw late.signal.aborted ? late.signal.reason : error;
  } finally {
    timer.clear();
    request.signal?.removeEventListener('abort', leave);
  }
}

async function read(response: TransportResponse): Promise<JsonValue> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.stream()) {
    length += piece.length;
    if (length > MAXIMUM_BYTES) throw new LastingError('the answer is too long');
    pieces.push(piece);
  }
  const { status } = response;
  const why = `the answer has the status ${status}`;
  if (status === 429 || status >= 500) throw new Error(why);
  if (status < 200 || status > 299) throw new LastingError(why);
  try {
    return decodeJson(joined(pieces, length)).value;
  } catch {
    throw new LastingError('the answer is no JSON');
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
