import type { ByteSink, Clock, Timer } from '@ashlar/core';

/** Initial events are written as long as less than this waits for the reader. */
const MOST_BYTES = 524_288;

/** A reader who takes nothing for that long is given up. */
const STALLED_MILLISECONDS = 120_000;

/** Whether the reader of a stream has room for more of what can wait where it is. */
export class ReaderRoom {
  readonly #sink: ByteSink;
  readonly #clock: Clock;
  readonly #stalled: () => void;
  #closed = false;
  #resolve: ((isOpen: boolean) => void) | undefined;
  #timer: Timer | undefined;

  /** @param stalled called where a reader takes nothing for two minutes */
  constructor(sink: ByteSink, clock: Clock, stalled: () => void) {
    this.#sink = sink;
    this.#clock = clock;
    this.#stalled = stalled;
  }

  /** True where there is room, else a promise that is fulfilled when there is; false once the stream is over. One at a time. */
  wait(): boolean | Promise<boolean> {
    if (this.#closed) return false;
    if (this.#sink.buffered < MOST_BYTES) return true;
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#timer = this.#clock.setTimer(STALLED_MILLISECONDS, this.#stalled);
      this.#sink.onDrain(() => this.#settle(true));
    });
  }

  /** The stream is over. */
  close(): void {
    this.#closed = true;
    this.#settle(false);
  }

  #settle(isOpen: boolean): void {
    this.#timer?.clear();
    this.#timer = undefined;
    this.#resolve?.(isOpen);
    this.#resolve = undefined;
  }
}
