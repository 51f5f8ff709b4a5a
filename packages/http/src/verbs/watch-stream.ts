import { type Ambient, type ByteSink, StatusError, type Timer } from '@ashlar/core';
import type { WatchSink } from '@ashlar/registry';
import type { Retirement } from '../catalog/retirement.ts';
import { toPublicError } from '../pipeline/error-response.ts';
import { OrderedFrames } from './ordered-frames.ts';
import { SinkCapacity } from './sink-capacity.ts';
import type { WatchFrames } from './watch-frames.ts';

/** Maximum bytes buffered for a slow client, beyond those buffered at the end of the initial events, before the watch is closed. */
const MAXIMUM_BUFFERED_BYTES = 4_194_304;

/** What can end a stream. */
export interface WatchStreamOptions {
  readonly ambient: Ambient;
  readonly timeoutMilliseconds: number;
  /** Aborted when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
  /** Ends the watch when the resource is no longer served. */
  readonly retirement: Retirement;
  /** Called with an unexpected error that ends the watch: the client is only told that there is one. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Starts a watch that sends its events to a sink. */
export type StartWatch = (sink: WatchSink) => Disposable | Promise<Disposable>;

/** Streams a watch into a response until it times out or fails, or the client disconnects or is too slow. */
export async function streamWatch(
  sink: ByteSink,
  start: StartWatch,
  frames: WatchFrames,
  options: WatchStreamOptions,
): Promise<void> {
  await new WatchStream(sink, frames, options).run(start);
}

class WatchStream {
  readonly #sink: ByteSink;
  readonly #frames: WatchFrames;
  readonly #signal: AbortSignal;
  readonly #capacity: SinkCapacity;
  readonly #ordered: OrderedFrames;
  readonly #timer: Timer;
  readonly #onError: ((error: unknown) => void) | undefined;
  #maximumBuffered = Number.POSITIVE_INFINITY;
  #isClosed = false;
  #watch: Disposable | undefined;
  #retired: Disposable | undefined;
  /** Sends events that have arrived and wait for the next flush. */
  #sendArrived: (() => void) | undefined;

  constructor(sink: ByteSink, frames: WatchFrames, options: WatchStreamOptions) {
    const { ambient, timeoutMilliseconds, signal, retirement } = options;
    this.#sink = sink;
    this.#frames = frames;
    this.#signal = signal;
    this.#onError = options.onError;
    this.#capacity = new SinkCapacity(sink, ambient.clock, this.#reset);
    const isOpen = (): boolean => !this.#isClosed;
    const output = { send: this.#send, fail: this.#fail, overflow: this.#reset, isOpen };
    this.#ordered = new OrderedFrames(frames, output, ambient);
    this.#timer = ambient.clock.setTimer(timeoutMilliseconds, this.#end);
    sink.onClose(() => this.#finish(() => {}));
    signal.addEventListener('abort', this.#stop, { once: true });
    this.#retired = retirement.whenRetired(this.#stop);
    if (signal.aborted) this.#stop();
  }

  /** Starts the watch; resolves after its initial events. */
  async run(start: StartWatch): Promise<void> {
    try {
      const started = await start(this.#watchSink());
      if (this.#isClosed) started[Symbol.dispose]();
      else this.#watch = started;
    } catch (error) {
      this.#ordered.error(error);
    }
    this.#maximumBuffered = MAXIMUM_BUFFERED_BYTES + this.#sink.buffered;
  }

  #watchSink(): WatchSink {
    const [frames, ordered, capacity, sink] = [this.#frames, this.#ordered, this.#capacity, this.#sink];
    return {
      ...(frames.events && { events: (batch) => this.#send(frames.events?.(batch)) }),
      event: (type, record) => ordered.event(type, record),
      bookmark: (resourceVersion, initialEventsEnd) => ordered.bookmark(resourceVersion, initialEventsEnd),
      error: (error) => ordered.error(error),
      waitForCapacity: () => ordered.whenSent()?.then(() => capacity.wait()) ?? capacity.wait(),
      ...(sink.beforeFlush && {
        arrived: (send) => {
          this.#sendArrived = send;
          sink.beforeFlush?.(this.#sendNow);
        },
      }),
    };
  }

  readonly #sendNow = (): void => {
    const send = this.#sendArrived;
    this.#sendArrived = undefined;
    send?.();
  };

  /** Sends a frame; without one the watch ends. */
  readonly #send = (bytes: Uint8Array | undefined): void => {
    if (bytes) this.#write(bytes);
    else this.#end();
  };

  #write(bytes: Uint8Array): void {
    if (this.#isClosed || this.#sink.write(bytes)) return;
    if (this.#sink.buffered > this.#maximumBuffered) this.#reset();
  }

  readonly #fail = (error: unknown): void => {
    if (!StatusError.is(error) && !this.#isClosed) this.#onError?.(error);
    this.#write(this.#frames.error(toPublicError(error).status));
    this.#end();
  };

  readonly #end = (): void => this.#finish(() => this.#sink.end());

  readonly #reset = (): void => this.#finish(() => this.#sink.destroy());

  /** Ends after what has arrived is sent: there may be no later watch that could resume. */
  readonly #stop = (): void => {
    this.#sendNow();
    const sent = this.#ordered.whenSent();
    if (sent) void sent.then(this.#end);
    else this.#end();
  };

  #finish(end: () => void): void {
    this.#sendNow();
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#signal.removeEventListener('abort', this.#stop);
    this.#retired?.[Symbol.dispose]();
    this.#timer.clear();
    this.#watch?.[Symbol.dispose]();
    end();
    this.#capacity.close();
  }
}
