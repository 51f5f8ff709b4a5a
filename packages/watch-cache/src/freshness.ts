import type { Clock, MaybePromise, Timer } from '@ashlar/core';
import type { Patience } from './patience.ts';
import type { RevisionQuestion } from './revision-question.ts';

/** The first delay before the underlying store is asked for progress again, while a caller waits; it grows. */
const FIRST_NUDGE_MILLISECONDS = 10;
const LAST_NUDGE_MILLISECONDS = 100;

/** Dependencies of freshness. */
export interface FreshnessOptions {
  readonly clock: Clock;
  readonly question: RevisionQuestion;
  /** How long to wait at this time. */
  readonly patience: () => Patience;
  /** The revision up to which the cache has received everything. */
  readonly position: () => number;
  /** Requests progress from the underlying store. */
  readonly nudge: () => void;
}

/** A caller that waits for a revision. */
interface Waiter {
  readonly revision: number;
  readonly resolve: (reached: boolean) => void;
  readonly reject: (error: Error) => void;
}

/** Checks that the cache is as new as the underlying store: the basis of consistent reads from memory. */
export class Freshness {
  readonly #options: FreshnessOptions;
  #shared: { readonly answer: Promise<number>; readonly outcome: Promise<boolean> } | undefined;
  #waiters = new Set<Waiter>();
  #nudging: Timer | undefined;

  constructor(options: FreshnessOptions) {
    this.#options = options;
  }

  /**
   * Whether the cache has received everything that was acknowledged before this call; false after a timeout.
   * Fails as the underlying store does when its revision is read.
   */
  confirm(): MaybePromise<boolean> {
    const result = this.#options.question.readRevision();
    if (!(result instanceof Promise)) return this.#reaches(result);
    // callers that share a request share the wait for its revision, too
    if (this.#shared?.answer !== result) {
      this.#shared = { answer: result, outcome: result.then((revision) => this.#reaches(revision)) };
    }
    return this.#shared.outcome;
  }

  /** The cache has reached that revision. */
  reached(revision: number): void {
    if (this.#waiters.size === 0) return;
    const arrived = [...this.#waiters].filter((waiter) => waiter.revision <= revision);
    if (arrived.length === 0) return;
    for (const waiter of arrived) this.#waiters.delete(waiter);
    for (const waiter of arrived) waiter.resolve(true);
    if (this.#waiters.size === 0) this.#stopNudging();
  }

  /** The feed has started. */
  began(): void {
    if (this.#waiters.size > 0) this.#nudge();
  }

  /** Releases all waiting callers. */
  fail(error: Error): void {
    const waiters = this.#waiters;
    this.#waiters = new Set();
    this.#stopNudging();
    for (const waiter of waiters) waiter.reject(error);
  }

  #reaches(revision: number): MaybePromise<boolean> {
    if (this.#options.position() >= revision) return true;
    const patience = this.#options.patience();
    return new Promise((resolve, reject) => {
      const timer = this.#options.clock.setTimer(patience.milliseconds, () => this.#giveUp(waiter));
      const waiter: Waiter = {
        revision,
        resolve: (reached) => {
          timer.clear();
          if (reached) patience.succeeded();
          else patience.lost();
          resolve(reached);
        },
        reject: (error) => {
          timer.clear();
          reject(error);
        },
      };
      this.#waiters.add(waiter);
      this.#nudge();
    });
  }

  #giveUp(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    if (this.#waiters.size === 0) this.#stopNudging();
    waiter.resolve(false);
  }

  /**
   * Immediately, and again as long as a caller waits: an engine may be disconnected, or a member that catches
   * up does not respond.
   */
  #nudge(pause: number = FIRST_NUDGE_MILLISECONDS): void {
    this.#stopNudging();
    const next = Math.min(pause * 2, LAST_NUDGE_MILLISECONDS);
    this.#nudging = this.#options.clock.setTimer(pause, () => this.#nudge(next));
    this.#options.nudge();
  }

  #stopNudging(): void {
    this.#nudging?.clear();
    this.#nudging = undefined;
  }
}
