import type { Readable } from 'node:stream';
import { ByteGatherer, StatusError } from '@ashlar/core';

const EMPTY: Uint8Array = new Uint8Array(0);
/** A body may arrive in this number of pieces, and in one more for each 64 bytes: each piece costs as much as many bytes. */
const MAXIMUM_PIECES = 10_000;
const USUAL_PIECE_BYTES = 64;

/** What is known of a body before it is read. */
export interface ExpectedBody {
  readonly stream: Readable;
  /** The declared length; undefined if the length is not known before the end. */
  readonly length: number | undefined;
  /** How long the client may send nothing. */
  readonly silenceMilliseconds: number;
}

/** A body that is being read. */
export interface BodyReading {
  /**
   * @throws StatusError 413 `Request entity too large: limit is <limit>` (semantics/status#situations); 408
   * if the client stopped sending
   */
  readonly bytes: Promise<Uint8Array>;
  /** Stops reading: the promise is rejected with the reason, unless it has settled. Absent if nothing is read. */
  readonly giveUp?: (reason: Error) => void;
}

/**
 * Reads a complete body. A declared length above the limit is rejected before anything is read; a body that
 * exceeds it is rejected immediately, and the rest is discarded.
 */
export function readBody(expected: ExpectedBody, limit: number): BodyReading {
  const { length } = expected;
  if (length === 0) return { bytes: Promise.resolve(EMPTY) };
  if (length !== undefined && length > limit) return { bytes: Promise.reject(tooLarge(limit)) };
  let giveUp: (reason: Error) => void = () => {};
  const bytes = new Promise<Uint8Array>((resolve, reject) => {
    giveUp = collect(expected, limit, resolve, reject);
  });
  return { bytes, giveUp };
}

/** Reads a stream to its end. Returns a function that cancels it. */
function collect(
  { stream, silenceMilliseconds }: ExpectedBody,
  limit: number,
  resolve: (bytes: Uint8Array) => void,
  reject: (error: unknown) => void,
): (reason: Error) => void {
  const gatherer = new ByteGatherer();
  let pieces = 0;
  const settle = (error?: unknown): void => {
    clearTimeout(timer);
    stream.off('data', take).off('end', settle).off('error', settle).off('close', cut);
    if (error === undefined) resolve(gatherer.toBytes());
    else reject(error);
  };
  const take = (chunk: Buffer): void => {
    timer.refresh();
    if (gatherer.length + chunk.length > limit) settle(tooLarge(limit));
    else if (++pieces > MAXIMUM_PIECES + gatherer.length / USUAL_PIECE_BYTES) settle(tooManyPieces());
    else gatherer.add(chunk);
  };
  const cut = (): void => settle(new Error('the caller went away while the body was read'));
  const timer = setTimeout(() => settle(bodyTimeoutError(silenceMilliseconds)), silenceMilliseconds);
  if (stream.readableEnded) settle();
  else if (stream.destroyed) cut();
  else stream.on('data', take).on('end', settle).on('error', settle).on('close', cut);
  return settle;
}

function tooLarge(limit: number): StatusError {
  return StatusError.requestEntityTooLarge(`limit is ${limit}`);
}

function tooManyPieces(): StatusError {
  return StatusError.requestEntityTooLarge('the body arrives in too many small pieces');
}

/** The error of a client that stopped sending. */
export function bodyTimeoutError(milliseconds: number): StatusError {
  const message = `no part of the body of the request arrived for ${milliseconds / 1000} seconds`;
  return new StatusError({ code: 408, reason: 'Timeout', message });
}

/** The declared length of a body, from its header field; undefined if there is none. */
export function announcedLength(line: string | undefined): number | undefined {
  return line !== undefined && /^[0-9]+$/.test(line) ? Number(line) : undefined;
}
