import { decodeJson } from '@ashlar/codec';
import type { Clock, JsonValue, Transport, TransportRequest, TransportResponse } from '@ashlar/core';

/** Longest that an issuer or a webhook may take. */
const TIMEOUT_MILLISECONDS = 30_000;
/** Longest answer that is read. */
const MAXIMUM_BYTES = 1024 * 1024;

/** An answer that says no. */
export class RefusedCallError extends Error {
  override readonly name: string = 'RefusedCallError';
  readonly status: number;

  constructor(status: number) {
    super(`the answer has the status ${status}`);
    this.status = status;
  }
}

/** An answer that does not come in time, or cannot be read. */
export class UnusableAnswerError extends Error {
  override readonly name: string = 'UnusableAnswerError';
}

/**
 * Asks somebody outside and reads the JSON of a successful answer. Nothing of the request is in an error.
 * @throws RefusedCallError for another status than 2xx
 * @throws UnusableAnswerError for an answer that is late, too long or no JSON
 * @throws Error of the transport, and the reason of the signal
 */
export async function callJson(
  transport: Transport,
  clock: Clock,
  url: string,
  request: TransportRequest,
): Promise<JsonValue> {
  const bytes = await callBytes(transport, clock, url, request);
  try {
    return decodeJson(bytes).value;
  } catch {
    throw new UnusableAnswerError('the answer is no JSON');
  }
}

/** As {@link callJson}, with the bytes as they are. */
export async function callBytes(
  transport: Transport,
  clock: Clock,
  url: string,
  request: TransportRequest,
): Promise<Uint8Array> {
  request.signal?.throwIfAborted();
  const late = new AbortController();
  const timer = clock.setTimer(TIMEOUT_MILLISECONDS, () =>
    late.abort(new UnusableAnswerError('the answer is late')),
  );
  const leave = (): void => late.abort(request.signal?.reason);
  request.signal?.addEventListener('abort', leave, { once: true });
  try {
    return await read(await transport.request(url, { ...request, signal: late.signal }));
  } finally {
    timer.clear();
    request.signal?.removeEventListener('abort', leave);
  }
}

async function read(response: TransportResponse): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.stream()) {
    length += piece.length;
    if (length > MAXIMUM_BYTES) throw new UnusableAnswerError('the answer is too long');
    pieces.push(piece);
  }
  if (response.status < 200 || response.status > 299) throw new RefusedCallError(response.status);
  return joined(pieces, length);
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
