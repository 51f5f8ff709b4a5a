import type { Clock, Timer } from '@ashlar/core';

/** Pauses between attempts to connect, in milliseconds. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 2000;

/** Connects to notifications; `ended` is called when the connection is lost. */
export type Listen = (notified: () => void, ended: () => void) => Promise<Disposable>;

/** Listens to notifications of a database, again and again whenever the connection is lost, until it is disposed. */
export class SteadyListening implements Disposable {
  readonly #listen: Listen;
  readonly #clock: Clock;
  readonly #notified: () => void;
  #listening: Disposable | undefined;
  #retry: Timer | undefined;
  #pause = FIRST_PAUSE;
  #closed = false;

  /** @param notified called for each notification, and after each connection: some may have been missed before it */
  constructor(listen: Listen, clock: Clock, notified: () => void) {
    this.#listen = listen;
    this.#clock = clock;
    this.#notified = notified;
    void this.#connect();
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#retry?.clear();
    this.#listening?.[Symbol.dispose]();
  }

  async #connect(): Promise<void> {
    this.#listening = undefined;
    if (this.#closed) return;
    try {
      const listening = await this.#listen(this.#notified, () => void this.#connect());
      if (this.#closed) return listening[Symbol.dispose]();
      this.#listening = listening;
      this.#pause = FIRST_PAUSE;
      this.#notified();
    } catch {
      if (this.#closed) return;
      this.#retry = this.#clock.setTimer(this.#pause, () => void this.#connect());
      this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2);
    }
  }
}
