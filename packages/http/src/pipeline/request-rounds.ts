import { type Ambient, RotatingQueues } from '@ashlar/core';

/** In how much of one turn of the event loop requests begin, in milliseconds. */
const ROUND_MILLISECONDS = 5;

/**
 * Requests whose bodies have arrived begin at once, until they have used their share of a turn of the event loop. Others begin in later
 * turns, one of each user at a time: however many one user sends, those of another wait for one of them at most, and requests without
 * bodies for no longer than a round.
 */
export class RequestRounds {
  readonly #ambient: Ambient;
  readonly #next: () => void;
  /** What continues those that wait. */
  readonly #waiting = new RotatingQueues<string, () => void>();
  /** When the share of this turn is used up; undefined if nothing has begun in it. */
  #end: number | undefined;

  constructor(ambient: Ambient) {
    this.#ambient = ambient;
    this.#next = () => {
      if (this.#waiting.isEmpty) this.#end = undefined;
      else void this.#run();
    };
  }

  /** Returns a promise that the work for a request must wait for, if others have used this turn. */
  begin(user: string): Promise<void> | undefined {
    const { clock, turns } = this.#ambient;
    if (!turns?.inNextTurn) return undefined;
    if (this.#waiting.isEmpty) {
      const now = clock.monotonic();
      if (this.#end !== undefined && now >= this.#end) return this.#wait(user);
      if (this.#end === undefined) {
        this.#end = now + ROUND_MILLISECONDS;
        turns.inNextTurn(this.#next);
      }
      return undefined;
    }
    return this.#wait(user);
  }

  #wait(user: string): Promise<void> {
    return new Promise((resume) => this.#waiting.push(user, resume));
  }

  /** A turn: each request continues until it waits for something else than a promise. */
  async #run(): Promise<void> {
    const { clock, turns } = this.#ambient;
    const end = clock.monotonic() + ROUND_MILLISECONDS;
    this.#end = end;
    for (let resume = this.#waiting.take(); resume; resume = this.#waiting.take()) {
      resume();
      await new Promise<void>((settled) => turns?.atEndOfTurn(settled));
      if (clock.monotonic() >= end) break;
    }
    turns?.inNextTurn?.(this.#next);
  }
}
