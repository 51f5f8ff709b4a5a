import { errorOfTrailers, GrpcCode, GrpcError, type StatusHeaders } from './grpc-error.ts';
import type { Http2Stream, StreamFailure, StreamObserver } from './http2-stream.ts';
import { FrameReader, toFrame } from './message-frames.ts';

/** Who hears of a call. */
export interface CallObserver {
  message(bytes: Uint8Array): void;
  /** The call has ended, and nothing comes after it: well, or with this error. */
  done(error: Error | undefined): void;
}

/** One call over HTTP/2: messages in both directions, and a status at the end. */
export class GrpcCall {
  readonly #stream: Http2Stream;
  readonly #observer: CallObserver;
  readonly #frames: FrameReader;
  /** What the last headers tell; null while they have not come. */
  #status: GrpcError | undefined | null = null;
  #begun: boolean = false;
  #done: boolean = false;

  /**
   * @param open makes the stream, given who hears of it
   * @param limit bytes of the largest message taken
   */
  constructor(open: (observer: StreamObserver) => Http2Stream, limit: number, observer: CallObserver) {
    this.#observer = observer;
    this.#frames = new FrameReader(limit, (bytes) => {
      if (!this.#done) observer.message(bytes);
    });
    this.#stream = open({
      headers: (fields) => this.#head(fields),
      data: (bytes) => this.#take(bytes),
      end: () => this.#lose({ unprocessed: false }),
      lost: (failure) => this.#lose(failure),
    });
  }

  /** Sends a message. */
  write(message: Uint8Array): void {
    if (!this.#done) this.#stream.write(toFrame(message));
  }

  /** Sends the last message. */
  end(message: Uint8Array): void {
    if (!this.#done) this.#stream.end(toFrame(message));
  }

  /** Gives the call up: its observer is told that error, or nothing more without one. */
  cancel(error?: Error): void {
    if (this.#done) return;
    this.#stream.cancel();
    if (error) this.#finish(error);
    this.#done = true;
  }

  #head(fields: StatusHeaders): void {
    if (fields['grpc-status'] !== undefined) {
      this.#status = errorOfTrailers(fields);
      return;
    }
    const isFirst = !this.#begun;
    this.#begun = true;
    if (!isFirst || fields[':status'] === '200') return;
    const text = `the server answered with HTTP status ${fields[':status']}: it does not speak gRPC`;
    this.cancel(new GrpcError(GrpcCode.unavailable, text));
  }

  #take(bytes: Buffer): void {
    try {
      if (!this.#done) this.#frames.push(bytes);
    } catch (error) {
      this.cancel(error as Error);
    }
  }

  /** It has ended: as its status says, where that has come. */
  #lose({ unprocessed, cause }: StreamFailure): void {
    if (this.#status !== null) {
      this.#finish(this.#status);
      return;
    }
    const text = cause
      ? `the connection was lost: ${cause.message}`
      : 'the connection was lost before the answer';
    this.#finish(new GrpcError(GrpcCode.unavailable, text, { unprocessed, cause }));
  }

  #finish(error: Error | undefined): void {
    if (this.#done) return;
    this.#done = true;
    this.#observer.done(error);
  }
}
