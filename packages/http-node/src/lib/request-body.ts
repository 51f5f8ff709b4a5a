import type { Readable } from 'node:stream';
import { StatusError } from '@ashlar/core';

const EMPTY: Uint8Array = new Uint8Array(0);

/** What is known of a body before it is read. */
export interface ExpectedBody {
  readonly stream: Readable;
  /** As announced; undefined where the length is not known before the end. */
  readonly length: number | undefined;
}

/**
 * Reads a whole body. A length announced beyond the limit is refused before anything is read; one that grows beyond
 * it is refused there and then, and the rest is thrown away.
 *
 * @throws StatusError 413 `Request entity too large: limit is <limit>` (semantics A4)
 */
export function readBody({ stream, length }: ExpectedBody, limit: number): Promise<Uint8Array> {
  if (length === 0) return Promise.resolve(EMPTY);
  if (length !== undefined && length > limit) return Promise.reject(tooLarge(limit));
  return collect(stream, limit);
}

/** Reads a stream to its end. */
function collect(stream: Readable, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (error?: unknown): void => {
      stream.off('data', take).off('end', ended).off('error', settle).off('close', cut);
      if (error === undefined) resolve(joined(chunks, size));
      else reject(error);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) settle(tooLarge(limit));
      else chunks.push(chunk);
    };
    const ended = (): void => settle();
    const cut = (): void => settle(new Error('the caller went away while the body was read'));
    if (stream.readableEnded) return settle();
    if (stream.destroyed) return cut();
    stream.on('data', take).on('end', ended).on('error', settle).on('close', cut);
  });
}

function joined(chunks: readonly Buffer[], size: number): Uint8Array {
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
}

function tooLarge(limit: number): StatusError {
  return StatusError.requestEntityTooLarge(`limit is ${limit}`);
}

/** The announced length of a body, from its header line; undefined where there is none. */
export function announcedLength(line: string | undefined): number | undefined {
  return line !== undefined && /^[0-9]+$/.test(line) ? Number(line) : undefined;
}
