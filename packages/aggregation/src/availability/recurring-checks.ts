import type { Clock, Timer } from '@ashlar/core';

/** Between two checks of what is in order. */
const INTERVAL_MILLISECONDS = 30_000;
/** Between the beginnings of two checks, of which the second is to be soon. */
const SOON_MILLISECONDS = 5_000;
/** After the first failure; doubled with each further one, up to the interval. */
const RETRY_MILLISECONDS = 5_000;

/** Repeats a check of each key at intervals, and at once when a change is reported. */
export class RecurringChecks implements Disposable {
  readonly #clock: Clock;
  readonly #check: (name: string) => Promise<boolean>;
  readonly #loops = new Map<string, CheckLoop>();

  /** @param check returns whether it is in order; never rejects */
  constructor(clock: Clock, check: (name: string) => Promise<boolean>) {
    this.#clock = clock;
    this.#check = check;
  }

  /** Checks it now, or again after the check that is running. */
  now(name: string): void {
    const loop = this.#loops.get(name) ?? new CheckLoop(this.#clock, () => this.#check(name));
    this.#loops.set(name, loop);
    loop.now();
  }

  /** Checks it again within five seconds, not more often even if this is asked for all the time: several servers may write what they do not agree on. */
  soon(name: string): void {
    this.#loops.get(name)?.soon();
  }

  /** Checks it no more. */
  forget(name: string): void {
    this.#loops.get(name)?.[Symbol.dispose]();
    this.#loops.delete(name);
  }

  [Symbol.dispose](): void {
    for (const name of [...this.#loops.keys()]) this.forget(name);
  }
}

type LoopState = 'idle' | 'running' | 'running, and again' | 'over';

class CheckLoop implements Disposable {
  readonly #clock: Clock;
  readonly #check: () => Promise<boolean>;
  #timer: Timer | undefined;
  #state: LoopState = 'idle';
  #begunAt = 0;
  #failures = 0;

  constructor(clock: Clock, check: () => Promise<boolean>) {
    this.#clock = clock;
    this.#check = check;
  }

  now(): void {
    if (this.#state === 'idle') void this.#run();
    else if (this.#state === 'running') this.#state = 'running, and again';
  }

  soon(): void {
    // what is running finds out
    if (this.#state !== 'idle') return;
    this.#timer?.clear();
    const pause = this.#begunAt + SOON_MILLISECONDS - this.#clock.monotonic();
    if (pause <= 0) this.now();
    else this.#timer = this.#clock.setTimer(pause, () => this.now());
  }

  [Symbol.dispose](): void {
    this.#state = 'over';
    this.#timer?.clear();
  }

  async #run(): Promise<void> {
    this.#timer?.clear();
    this.#state = 'running';
    this.#begunAt = this.#clock.monotonic();
    this.#failures = (await this.#check()) ? 0 : this.#failures + 1;
    // it may have changed while it was awaited
    const state = this.#state as LoopState;
    if (state === 'over') return;
    this.#state = 'idle';
    if (state === 'running, and again') return this.#run();
    this.#timer = this.#clock.setTimer(this.#pause, () => this.now());
  }

  get #pause(): number {
    if (this.#failures === 0) return INTERVAL_MILLISECONDS;
    return Math.min(INTERVAL_MILLISECONDS, RETRY_MILLISECONDS * 2 ** (this.#failures - 1));
  }
}
