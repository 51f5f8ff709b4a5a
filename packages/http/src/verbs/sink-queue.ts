import type { ByteSink } from '@ashlar/core';

/** Buffered bytes above which `write` returns false. */
const HIGH_WATER_MARK = 1_048_576;

/** A sink that is read in the same process: written bytes are buffered until they are iterated. */
export class SinkQueue implements ByteSink, AsyncIterable<Uint8Array> {
  #pending: Uint8Array[] = [];
  #buffered = 0;
  #isClosed = false;
  #failure: { readonly reason: unknown } | undefined;
  #resume: (() => void) | undefined;
  readonly #onClose: (() => void)[] = [];
  readonly #onDrain: (() => void)[] = [];

  get buffered(): number {
    return this.#buffered;
  }

  write(bytes: Uint8Array): boolean {
    if (this.#isClosed) return false;
    this.#pending.push(bytes);
    this.#buffered += bytes.length;
    this.#resume?.();
    return this.#buffered <= HIGH_WATER_MARK;
  }

  onDrain(call: () => void): void {
    this.#onDrain.push(call);
  }

  onClose(call: () => void): void {
    if (this.#isClosed) call();
    else this.#onClose.push(call);
  }

  end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#resume?.();
    for (const call of this.#onClose) call();
  }

  destroy(): void {
    this.fail(new Error('the stream was destroyed'));
  }

  /** Ends the body immediately: the reader gets the reason instead of the pending bytes. */
  fail(reason: unknown): void {
    if (this.#isClosed) return;
    this.#pending = [];
    this.#failure = { reason };
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    for (;;) {
      const batch = this.#pending;
      this.#pending = [];
      for (const bytes of batch) {
        if (this.#failure) break;
        this.#buffered -= bytes.length;
        yield bytes;
      }
      if (this.#failure) throw this.#failure.reason;
      if (this.#pending.length > 0) continue;
      for (const call of this.#onDrain.splice(0)) call();
      if (this.#isClosed) return;
      await this.#waitForBytes();
    }
  }

  #waitForBytes(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }
}
