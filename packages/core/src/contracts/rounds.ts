import { RotatingQueues } from './rotating-queues.ts';

/** How long those of one round may take together, in milliseconds. */
const ROUND_MILLISECONDS = 5;
/** Maximum number of those in the first round, and of those in any by default. */
const FIRST_SIZE = 16;
const LARGEST_SIZE = 32;

/** The event loop, as rounds see it. */
export interface RoundOptions {
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Calls once all that runs in the current turn has run, promises included. */
  readonly atEndOfTurn: (call: () => void) => void;
  /** Calls in the next turn, once what has arrived meanwhile has been read. */
  readonly inNextTurn: (call: () => void) => void;
  /** Called when all of a round have been resumed, before their promises are followed. */
  readonly resumed?: () => void;
  /** Maximum number of a round. Default: 32 */
  readonly largest?: number;
}

/**
 * What arrives in one turn of the event loop continues together in the next one, one of each owner in turn. Promises are followed in step:
 * each stage of the work runs for all of a round before the next stage does, so that the processor finds its code and data in its caches.
 * Writes that are handled one after the other take up to 1.8 times as long.
 *
 * A round has as many as took their share of a turn before; others wait for later turns, and what else happens in the event loop waits for
 * about one round. Each round has one of each owner before a second of any.
 */
export class Rounds<Owner> {
  readonly #options: RoundOptions;
  readonly #owned = new RotatingQueues<Owner, () => void>();
  /** Those without an owner, of which the first so many have been resumed. */
  #single: (() => void)[] = [];
  #resumedSingle = 0;
  #wasOwned = false;
  #isDue = false;
  readonly #largest: number;
  #size: number;

  constructor(options: RoundOptions) {
    this.#options = options;
    this.#largest = options.largest ?? LARGEST_SIZE;
    this.#size = Math.min(this.#largest, FIRST_SIZE);
  }

  /**
   * Calls back in a later turn.
   * @param owner undefined for one that has only one at a time, such as a connection of HTTP/1.1: it needs no queue
   * @param resume if it throws, the others continue in a later turn
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
    this.#isDue = false;
    try {
      this.#resumeRound();
    } finally {
      // also where one has failed
      this.#options.resumed?.();
      this.#forgetResumed();
      if (!this.#isDue && (this.#single.length > 0 || !this.#owned.isEmpty)) this.#schedule();
    }
  };

  #resumeRound(): void {
    const { now, atEndOfTurn } = this.#options;
    const start = now();
    let count = 0;
    let end = start;
    for (let resume = this.#next(); resume; resume = this.#next()) {
      resume();
      count++;
      end = now();
      // what needs no promise has used its time already
      if (count >= this.#size || end - start >= ROUND_MILLISECONDS) break;
    }
    // one alone tells nothing of a round
    if (count > 1 || this.#size === 1) atEndOfTurn(() => this.#adapt(count, now() - end));
  }

  /** Those with and without an owner alternate. */
  #next(): (() => void) | undefined {
    const single = this.#single[this.#resumedSingle];
    this.#wasOwned = !this.#owned.isEmpty && !(this.#wasOwned && single);
    if (this.#wasOwned) return this.#owned.take();
    if (single) this.#resumedSingle++;
    return single;
  }

  #forgetResumed(): void {
    if (this.#resumedSingle * 2 < this.#single.length) return;
    this.#single = this.#single.slice(this.#resumedSingle);
    this.#resumedSingle = 0;
  }

  /** Rounds shrink at once if promises take long, and grow by one at a time. */
  #adapt(count: number, milliseconds: number): void {
    const fitting = Math.floor((ROUND_MILLISECONDS * count) / milliseconds);
    if (milliseconds > ROUND_MILLISECONDS) this.#size = Math.max(1, fitting);
    else if (count === this.#size && fitting > count) this.#size = Math.min(count + 1, this.#largest);
  }
}
