import type { ByteSink, Clock, Timer } from '@ashlar/core';

/** Initial events are written while fewer bytes than this are buffered. */
const MAXIMUM_BUFFERED_BYTES = 524_288;

/** A client that reads nothing for this long is disconnected. */
const STALLED_MILLISECONDS = 120_000;

/** Back-pressure of the initial events of a watch: waits until the sink of a slow client has capacity again. */
export class SinkCapacity {
  readonly #sink: ByteSink;
  readonly #clock: Clock;
  readonly #onStalled: () => void;
  #isClosed = false;
  #resolve: ((isOpen: boolean) => void) | undefined;
  #timer: Timer | undefined;

  /** @param onStalled called if a client reads nothing for two minutes */
  constructor(sink: ByteSink, clock: Clock, onStalled: () => void) {
    this.#sink = sink;
    this.#clock = clock;
    this.#onStalled = onStalled;
  }

  /** Returns true if the sink has capacity, else a promise that resolves when it has; false once it is closed. One call at a time. */
  wait(): boolean | Promise<boolean> {
    if (this.#isClosed) return false;
    if (this.#sink.buffered < MAXIMUM_BUFFERED_BYTES) return true;
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#timer = this.#clock.setTimer(STALLED_MILLISECONDS, this.#onStalled);
      this.#sink.onDrain(() => this.#settle(true));
    });
  }

  /** Ends waiting because the stream has ended. */
  close(): void {
    this.#isClosed = true;
    this.#settle(false);
  }

  #settle(isOpen: boolean): void {
    this.#timer?.clear();
    this.#timer = undefined;
    this.#resolve?.(isOpen);
    this.#resolve = undefined;
  }
}
