/** Departures that are acted on in one turn of the event loop: about two milliseconds of work. */
const PER_TURN = 32;

/**
 * Acts on callers that went away, a few in each turn of the event loop: when a proxy in front of hundreds of watches ends, Node reports all
 * their connections in one turn.
 */
export class Departures {
  #left = PER_TURN;
  #isScheduled = false;
  readonly #waiting: (() => void)[] = [];

  /** Acts at once, or in a later turn if there have been many in this one; in their order. */
  add(act: () => void): void {
    this.#schedule();
    if (this.#left === 0) {
      this.#waiting.push(act);
      return;
    }
    this.#left--;
    act();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#continue());
  }

  #continue(): void {
    this.#isScheduled = false;
    const acts = this.#waiting.splice(0, PER_TURN);
    // while some wait, no later one comes before them
    this.#left = this.#waiting.length > 0 ? 0 : PER_TURN - acts.length;
    if (acts.length > 0) this.#schedule();
    this.#actOn(acts);
  }

  #actOn(acts: readonly (() => void)[]): void {
    let done = 0;
    try {
      for (const act of acts) {
        done++;
        act();
      }
    } finally {
      // those behind one that fails
      if (done < acts.length) this.#waiting.unshift(...acts.slice(done));
    }
  }
}

/** Those of all listeners of a process, which share its event loop. */
export const departures: Departures = new Departures();
