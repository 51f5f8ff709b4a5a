/** Departures that are acted on in one turn of the event loop: about two milliseconds of work. */
const PER_TURN = 32;

/**
 * Acts on callers that went away, a few in each turn of the event loop: when a proxy in front of hundreds of watches ends, Node reports all
 * their connections in one turn.
 */
export class Departures {
  #left = PER_TURN;
  #isScheduled = false;
  #waiting: (() => void)[] = [];

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
    const acts = this.#waiting.slice(0, PER_TURN);
    this.#waiting = this.#waiting.slice(PER_TURN);
    // while some wait, no later one comes before them
    this.#left = this.#waiting.length > 0 ? 0 : PER_TURN - acts.length;
    if (acts.length > 0) this.#schedule();
    for (const act of acts) act();
  }
}

/** Those of all listeners of a process, which share its event loop. */
export const departures: Departures = new Departures();
