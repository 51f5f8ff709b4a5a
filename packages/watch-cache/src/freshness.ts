import type { Clock, Timer } from '@ashlar/core';
import type { MaybePromise } from '@ashlar/storage';
import type { Patience } from './patience.ts';
import type { RevisionQuestion } from './revision-question.ts';

/** How soon the store below is asked again to say how far the feed has come, while somebody waits; then more and more seldom. */
const FIRST_NUDGE_MILLISECONDS = 10;
const LAST_NUDGE_MILLISECONDS = 100;

/** What freshness is confirmed with. */
export interface FreshnessOptions {
  readonly clock: Clock;
  readonly question: RevisionQuestion;
  /** How long it is worth waiting just now. */
  readonly patience: () => Patience;
  /** The revision up to which the cache has seen everything. */
  readonly position: () => number;
  /** Asks the store below to say how far the feed has come. */
  readonly nudge: () => void;
}

/** Somebody who waits for the cache to have come so far. */
interface Waiter {
  readonly revision: number;
  readonly resolve: (reached: boolean) => void;
  readonly reject: (error: Error) => void;
}

/** Tells whether the cache is as new as the store below: the heart of consistent reads from memory. */
export class Freshness {
  readonly #options: FreshnessOptions;
  #shared: { readonly answer: Promise<number>; readonly outcome: Promise<boolean> } | undefined;
  #waiters: Waiter[] = [];
  #nudging: Timer | undefined;

  constructor(options: FreshnessOptions) {
    this.#options = options;
  }

  /**
   * Whether the cache has seen everything that was acknowledged before this call; false if that cannot be known in time.
   * Fails as the store below does when it is asked for its revision.
   */
  confirm(): MaybePromise<boolean> {
    const answer = this.#options.question.ask();
    if (!(answer instanceof Promise)) return this.#reaches(answer);
    // all who share a question share the wait for what it tells, too
    if (this.#shared?.answer !== answer) {
      this.#shared = { answer, outcome: answer.then((revision) => this.#reaches(revision)) };
    }
    return this.#shared.outcome;
  }

  /** The cache has come so far. */
  reached(revision: number): void {
    if (this.#waiters.length === 0) return;
    const arrived = this.#waiters.filter((waiter) => waiter.revision <= revision);
    if (arrived.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => waiter.revision > revision);
    for (const waiter of arrived) waiter.resolve(true);
    if (this.#waiters.length === 0) this.#stopNudging();
  }

  /** The feed has begun: there is somebody to ask now. */
  began(): void {
    if (this.#waiters.length > 0) this.#nudge();
  }

  /** Nobody needs to wait any more. */
  fail(error: Error): void {
    const waiters = this.#waiters;
    this.#waiters = [];
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
          if (reached) patience.kept();
          else patience.lost();
          resolve(reached);
        },
        reject: (error) => {
          timer.clear();
          reject(error);
        },
      };
      this.#waiters.push(waiter);
      this.#nudge();
    });
  }

  #giveUp(waiter: Waiter): void {
    this.#waiters = this.#waiters.filter((other) => other !== waiter);
    if (this.#waiters.length === 0) this.#stopNudging();
    waiter.resolve(false);
  }

  /** At once, and again as long as somebody waits: an engine may have nobody to ask just now, or who catches up does not answer. */
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
