import type { Readable } from 'node:stream';
import { bodyTimeoutError, type ExpectedBody } from './request-body.ts';

/** A body that is read piece by piece. */
export interface BodyPiecesReading {
  /** For one reader. @throws StatusError 408 if the client stopped sending; Error if it went away */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Stops reading: the reader gets the reason. */
  readonly giveUp: (reason: Error) => void;
}

/** Reads a body as fast as its reader asks. */
export function streamBody({ stream, silenceMilliseconds }: ExpectedBody): BodyPiecesReading {
  const ended = new AbortController();
  async function* read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      ended.signal.throwIfAborted();
      const piece = stream.read() as Uint8Array | null;
      if (piece) yield piece;
      else if (stream.readableEnded) return;
      else if (stream.destroyed) throw new Error('the caller went away while the body was read');
      else if (!(await changed(stream, ended.signal, silenceMilliseconds)))
        throw bodyTimeoutError(silenceMilliseconds);
    }
  }
  return { pieces: read(), giveUp: (reason) => ended.abort(reason) };
}

const CHANGES = ['readable', 'end', 'close', 'error'] as const;

/** Waits for something to happen to a stream, or for the signal. False if nothing does for that long. */
function changed(stream: Readable, signal: AbortSignal, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (hasChanged: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', change);
      for (const event of CHANGES) stream.off(event, change);
      resolve(hasChanged);
    };
    const change = (): void => settle(true);
    const timer = setTimeout(() => settle(false), milliseconds);
    signal.addEventListener('abort', change);
    for (const event of CHANGES) stream.on(event, change);
  });
}
