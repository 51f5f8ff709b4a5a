import { RotatingQueues } from './rotating-queues.ts';

/** How long those of one round may take together, in milliseconds. */
const ROUND_MILLISECONDS = 5;
/** Number of those in the first round, and maximum of any. */
const FIRST_SIZE = 16;
const LARGEST_SIZE = 32;

/** The event loop, as rounds see it. */
export interface RoundOptions {
  /** A monotonic clock, in milliseconds. */
  now(): number;
  /** Calls once all that runs in the current turn has run, promises included. */
  atEndOfTurn(call: () => void): void;
  /** Calls in the next turn, once what has arrived meanwhile has been read. */
  inNextTurn(call: () => void): void;
  /** Called when all of a round have been resumed, before their promises are followed. */
  resumed?(): void;
}

/**
 * What arrives in one turn of the event loop continues together in the next one, one of each owner in turn. Promises are followed in step:
 * each stage of the work runs for all of a round before the next stage does, so that the processor finds its code and data in its caches.
 * Writes that are handled one after the other take up to 1.8 times as long.
 *
 * A round has as many as took their share of a turn before; others wait for later turns. So however many one owner has, those of another
 * wait for about one round, and what else happens in the event loop for no longer than a round.
 */
export class Rounds<Owner> {
  readonly #options: RoundOptions;
  readonly #owned = new RotatingQueues<Owner, () => void>();
  /** Those without an owner, of which the first so many have been resumed. */
  #single: (() => void)[] = [];
  #resumedSingle = 0;
  #wasOwned = false;
  #isDue = false;
  #size: number = FIRST_SIZE;

  constructor(options: RoundOptions) {
    this.#options = options;
  }

  /**
   * Calls back in a later turn.
   * @param owner undefined for one that has only one at a time, such as a connection of HTTP/1.1: it needs no queue
   * @param resume must not throw
   */
  add(owner: Owner | undefined, resume: () => void): void {
    if (owner === undefined) this.#single.push(resume);
    else this.#owned.push(owner, resume);
    if (!this.#isDue) this.#schedule();
  }

  #schedule(): void {
    this.#isDue = true;
    this.#options.inNextTurn(this.#run);
  }

  readonly #run = (): void => {
    const start = this.#options.now();
    let count = 0;
    for (let resume = this.#next(count); resume; resume = this.#next(count)) {
      resume();
      count++;
    }
    this.#options.resumed?.();
    // one alone tells nothing of a round
    if (count > 1 || this.#size === 1)
      this.#options.atEndOfTurn(() => this.#adapt(count, this.#options.now() - start));
    this.#isDue = false;
    if (this.#single.length > 0 || !this.#owned.isEmpty) this.#schedule();
  };

  /** Those with and without an owner alternate. */
  #next(count: number): (() => void) | undefined {
    if (count >= this.#size) return undefined;
    if (this.#owned.isEmpty) return this.#nextSingle();
    this.#wasOwned = !this.#wasOwned || this.#single.length === 0;
    return this.#wasOwned ? this.#owned.take() : this.#nextSingle();
  }

  #nextSingle(): (() => void) | undefined {
    if (this.#single.length === 0) return undefined;
    const next = this.#single[this.#resumedSingle++];
    if (this.#resumedSingle === this.#single.length) {
      this.#single = [];
      this.#resumedSingle = 0;
    }
    return next;
  }

  /** Rounds shrink at once if one takes long, and grow by one at a time. */
  #adapt(count: number, milliseconds: number): void {
    const fitting = Math.floor((ROUND_MILLISECONDS * count) / milliseconds);
    if (milliseconds > ROUND_MILLISECONDS) this.#size = Math.max(1, fitting);
    else if (count === this.#size && fitting > count) this.#size = Math.min(count + 1, LARGEST_SIZE);
  }
}
