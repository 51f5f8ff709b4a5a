import type { ByteSink } from '@ashlar/core';

/** Bytes that may wait before `write` answers false. */
const HIGH_WATER_MARK = 1_048_576;

/** A sink whose bytes are read in the same process: what is written waits until it is iterated. */
export class SinkQueue implements ByteSink, AsyncIterable<Uint8Array> {
  #waiting: Uint8Array[] = [];
  #buffered = 0;
  #over = false;
  #failure: { readonly reason: unknown } | undefined;
  #wake: (() => void) | undefined;
  readonly #closing: (() => void)[] = [];
  readonly #draining: (() => void)[] = [];

  get buffered(): number {
    return this.#buffered;
  }

  write(bytes: Uint8Array): boolean {
    if (this.#over) return false;
    this.#waiting.push(bytes);
    this.#buffered += bytes.length;
    this.#wake?.();
    return this.#buffered <= HIGH_WATER_MARK;
  }

  onDrain(call: () => void): void {
    this.#draining.push(call);
  }

  onClose(call: () => void): void {
    if (this.#over) call();
    else this.#closing.push(call);
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#wake?.();
    for (const call of this.#closing) call();
  }

  destroy(): void {
    this.fail(new Error('the stream was cut'));
  }

  /** Ends the body at once; whoever reads it is told the reason, and nothing of what waits. */
  fail(reason: unknown): void {
    if (this.#over) return;
    this.#waiting = [];
    this.#failure = { reason };
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    for (;;) {
      const batch = this.#waiting;
      this.#waiting = [];
      for (const bytes of batch) {
        if (this.#failure) break;
        this.#buffered -= bytes.length;
        yield bytes;
      }
      if (this.#failure) throw this.#failure.reason;
      if (this.#waiting.length > 0) continue;
      for (const call of this.#draining.splice(0)) call();
      if (this.#over) return;
      await this.#more();
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
