import type { Clock, Timer } from '@ashlar/core';

/** How often entries are looked for whose lease has ended. */
const INTERVAL_MILLISECONDS = 1000;

/** An entry whose lease has ended. */
export interface ExpiredEntry {
  readonly key: string;
  readonly revision: number;
}

/**
 * Deletes entries whose lease has ended. Every server over the database does: a deletion on the condition of the revision is made once.
 */
export class LeaseExpiry implements Disposable {
  readonly #clock: Clock;
  readonly #find: () => Promise<readonly ExpiredEntry[]>;
  readonly #remove: (entry: ExpiredEntry) => Promise<unknown>;
  #timer: Timer | undefined;
  #closed = false;

  constructor(
    clock: Clock,
    find: () => Promise<readonly ExpiredEntry[]>,
    remove: (entry: ExpiredEntry) => Promise<unknown>,
  ) {
    this.#clock = clock;
    this.#find = find;
    this.#remove = remove;
    this.#schedule();
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#timer?.clear();
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer = this.#clock.setTimer(INTERVAL_MILLISECONDS, () => void this.#expire());
  }

  async #expire(): Promise<void> {
    try {
      const expired = await this.#find();
      if (!this.#closed) await Promise.all(expired.map((entry) => this.#remove(entry)));
    } catch {
      // the database is not available; what has ended is found again
    }
    this.#schedule();
  }
}
