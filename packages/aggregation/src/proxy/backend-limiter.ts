/** Maximum number of requests that one server may have pending. */
const MAXIMUM_PENDING = 400;

/** Counts the requests that a server has not answered completely: one that hangs holds up its own callers only. */
export class BackendLimiter {
  #pending = 0;

  get pending(): number {
    return this.#pending;
  }

  /** Returns a function that releases the place, whose later calls have no effect; undefined if there is none. */
  acquire(): (() => void) | undefined {
    if (this.#pending >= MAXIMUM_PENDING) return undefined;
    this.#pending++;
    let isPending = true;
    return () => {
      if (isPending) this.#pending--;
      isPending = false;
    };
  }
}
