import type { Clock } from '@ashlar/core';
import type { Encryption } from '../configuration/create-encryption.ts';

/** The configuration that a server uses, which may be exchanged while it runs. */
export class ExchangeableEncryption implements Disposable {
  readonly #clock: Clock;
  #current: Encryption;

  constructor(encryption: Encryption, clock: Clock) {
    this.#current = encryption;
    this.#clock = clock;
  }

  get current(): Encryption {
    return this.#current;
  }

  /** Uses another configuration from now on; the last one is disposed when its requests have ended. */
  exchange(next: Encryption): void {
    const last = this.#current;
    this.#current = next;
    const milliseconds = Number(last.closeGracePeriod / 1_000_000n);
    if (milliseconds === 0) last[Symbol.dispose]();
    else this.#clock.setTimer(milliseconds, () => last[Symbol.dispose]());
  }

  [Symbol.dispose](): void {
    this.#current[Symbol.dispose]();
  }
}
