import { type ClientHttp2Stream, constants } from 'node:http2';
import { FrameReader, toFrame } from '../messages/message-frames.ts';
import { errorOfTrailers, GrpcCode, GrpcError, type StatusHeaders } from './grpc-error.ts';

/** Callbacks of a call. */
export interface CallObserver {
  message(bytes: Uint8Array): void;
  /** The call has ended, and nothing follows: successfully, or with this error. */
  done(error: Error | undefined): void;
}

/** One call over HTTP/2: messages in both directions, and a status at the end. */
export class GrpcCall {
  readonly #stream: ClientHttp2Stream;
  readonly #observer: CallObserver;
  readonly #frames: FrameReader;
  /** Status of the trailers; null before they arrive. */
  #status: GrpcError | undefined | null = null;
  #failure: Error | undefined;
  /** Everything that the server sent has been read. */
  #ended: boolean = false;
  #done: boolean = false;

  /** @param limit maximum size of a message in bytes */
  constructor(stream: ClientHttp2Stream, limit: number, observer: CallObserver) {
    this.#stream = stream;
    this.#observer = observer;
    this.#frames = new FrameReader(limit, (bytes) => {
      if (!this.#done) observer.message(bytes);
    });
    stream.on('response', (headers) => this.#begin(headers));
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
    stream.on('trailers', (headers) => this.#conclude(errorOfTrailers(headers)));
    stream.on('end', () => this.#end());
    stream.on('error', (error) => {
      this.#failure ??= error;
    });
    stream.on('close', () => this.#finish(this.#failure ?? this.#statusAtClose()));
  }

  /** Sends a message. */
  write(message: Uint8Array): void {
    if (!this.#done && !this.#stream.destroyed) this.#stream.write(toFrame(message));
  }

  /** Sends the last message. */
  end(message: Uint8Array): void {
    this.#stream.end(toFrame(message));
  }

  /** Ends the call: its observer gets that error, or no further call without one. */
  cancel(error?: Error): void {
    if (this.#done) return;
    if (error) this.#finish(error);
    this.#done = true;
    this.#stream.close(constants.NGHTTP2_CANCEL);
  }

  #begin(headers: StatusHeaders): void {
    if (headers['grpc-status'] !== undefined) {
      this.#conclude(errorOfTrailers(headers));
      return;
    }
    if (headers[':status'] === 200) return;
    const text = `the server answered with HTTP status ${headers[':status']}: it does not speak gRPC`;
    this.cancel(new GrpcError(GrpcCode.unavailable, text));
  }

  #take(chunk: Buffer): void {
    try {
      this.#frames.push(chunk);
    } catch (error) {
      this.cancel(error as Error);
    }
  }

  /** The status and the end of the data arrive in any order. */
  #conclude(status: GrpcError | undefined): void {
    this.#status = status;
    if (this.#ended) this.#finish(status);
  }

  #end(): void {
    this.#ended = true;
    if (this.#status !== null) this.#finish(this.#status);
  }

  #statusAtClose(): Error | undefined {
    if (this.#status !== null) return this.#status;
    const { rstCode = 0 } = this.#stream;
    const unprocessed = rstCode === constants.NGHTTP2_REFUSED_STREAM;
    return new GrpcError(GrpcCode.unavailable, 'the connection was lost before the response', {
      unprocessed,
    });
  }

  #finish(error: Error | undefined): void {
    if (this.#done) return;
    this.#done = true;
    this.#observer.done(error === undefined ? undefined : toGrpcError(error, this.#stream.rstCode));
  }
}

/** Converts errors of the stream or the session to errors of the call. */
function toGrpcError(error: Error, rstCode: number | undefined): Error {
  if (!('code' in error) || typeof error.code !== 'string') return error;
  const unprocessed = rstCode === constants.NGHTTP2_REFUSED_STREAM;
  return new GrpcError(GrpcCode.unavailable, `the connection was lost: ${error.message}`, {
    unprocessed,
    cause: error,
  });
}
