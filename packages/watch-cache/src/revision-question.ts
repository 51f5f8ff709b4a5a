import type { KeyValueStore } from '@ashlar/storage';

/** How many questions are on their way at a time; who asks meanwhile shares the next. */
const MOST_IN_FLIGHT = 4;

/**
 * Asks a store for its newest revision on behalf of many: whoever asks gets an answer to a question that was put after that. An engine that
 * answers at once is asked each time; of one that does not, all share a question who come before it is put.
 */
export class RevisionQuestion {
  readonly #store: KeyValueStore;
  readonly #inFlight: Set<Promise<unknown>> = new Set();
  #isSlow: boolean = false;
  #next: Promise<number> | undefined;
  #count: number = 0;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /** How many questions have been put. */
  get count(): number {
    return this.#count;
  }

  ask(): number | Promise<number> {
    if (!this.#isSlow) return this.#put();
    this.#next ??= this.#putSoon();
    return this.#next;
  }

  /** In a microtask at the earliest, so that all who ask before it may share. */
  async #putSoon(): Promise<number> {
    await undefined;
    while (this.#inFlight.size >= MOST_IN_FLIGHT) await Promise.race(this.#inFlight);
    this.#next = undefined;
    return this.#put();
  }

  #put(): number | Promise<number> {
    this.#count++;
    const answer = this.#store.currentRevision();
    if (!(answer instanceof Promise)) return answer;
    this.#isSlow = true;
    const settled = answer.then(noop, noop);
    this.#inFlight.add(settled);
    void settled.then(() => this.#inFlight.delete(settled));
    return answer;
  }
}

const noop = (): void => {};
