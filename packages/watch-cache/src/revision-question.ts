import type { KeyValueStore } from '@ashlar/storage';

/** Maximum number of concurrent requests; callers meanwhile share the next. */
const MOST_IN_FLIGHT = 4;

/**
 * Reads the newest revision of a store for many callers: each caller gets the response to a request that was
 * sent after its call. A synchronous engine is called each time; for others, all callers before the next
 * request share it.
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

  /** Number of requests sent. */
  get count(): number {
    return this.#count;
  }

  readRevision(): number | Promise<number> {
    if (!this.#isSlow) return this.#put();
    this.#next ??= this.#putSoon();
    return this.#next;
  }

  /** In a microtask at the earliest, so that all callers before it may share. */
  async #putSoon(): Promise<number> {
    await undefined;
    while (this.#inFlight.size >= MOST_IN_FLIGHT) await Promise.race(this.#inFlight);
    this.#next = undefined;
    return this.#put();
  }

  #put(): number | Promise<number> {
    this.#count++;
    const result = this.#store.currentRevision();
    if (!(result instanceof Promise)) return result;
    this.#isSlow = true;
    const settled = result.then(noop, noop);
    this.#inFlight.add(settled);
    void settled.then(() => this.#inFlight.delete(settled));
    return result;
  }
}

const noop = (): void => {};
