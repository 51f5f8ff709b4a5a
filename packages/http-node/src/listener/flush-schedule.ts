import { performance } from 'node:perf_hooks';
import { SharedFrame } from './shared-frame.ts';

/** What waits to be flushed. */
export interface Flushable {
  /** No flush before this moment of `performance.now()`; set by the schedule. */
  restUntil: number;
  flush(frame: SharedFrame): void;
}

/** A round of flushes may take this part of the time: gaps are at least this many times as long as the round before. */
const GAP_PER_COST = 6;
/** Gaps do not grow beyond this many times the configured one, whatever a round costs. */
const LONGEST_GAP = 12;

/**
 * Decides when streams are written out. What is written in one turn of the event loop goes out at its end; a stream
 * that has just gone out rests for a few milliseconds, so that busy streams gather several events into one write of
 * the socket (and one record of TLS) while quiet ones wait for nothing. Where writing to many streams takes long, the
 * rest grows with it: writing out never takes the whole of the event loop.
 */
export class FlushSchedule {
  readonly #gap: number;
  readonly #onError: (error: unknown) => void;
  readonly #frame = new SharedFrame();
  #soon: Flushable[] = [];
  #late: Flushable[] = [];
  #armed = false;

  /**
   * @param gap milliseconds between two flushes of one stream; 0 flushes at the end of every turn
   * @param onError called with errors of a stream's callbacks; other streams are not affected
   */
  constructor(gap: number, onError: (error: unknown) => void) {
    this.#gap = gap;
    this.#onError = onError;
  }

  /** Asks for a flush, once until it happens. */
  add(stream: Flushable): void {
    const rest = stream.restUntil - performance.now();
    if (rest <= 0) {
      if (this.#soon.push(stream) === 1) setImmediate(this.#runSoon);
    } else {
      this.#late.push(stream);
      this.#arm(rest);
    }
  }

  readonly #runSoon = (): void => {
    const round = this.#soon;
    this.#soon = [];
    this.#run(round, performance.now());
  };

  readonly #runLate = (): void => {
    this.#armed = false;
    const now = performance.now();
    const due: Flushable[] = [];
    const rest: Flushable[] = [];
    // a timer may fire a fraction of a millisecond early
    for (const stream of this.#late) (stream.restUntil <= now + 1 ? due : rest).push(stream);
    this.#late = rest;
    this.#run(due, now);
    if (rest.length > 0) {
      const next = rest.reduce((soonest, { restUntil }) => Math.min(soonest, restUntil), Infinity);
      this.#arm(next - performance.now());
    }
  };

  #arm(milliseconds: number): void {
    if (this.#armed) return;
    this.#armed = true;
    setTimeout(this.#runLate, Math.max(1, Math.ceil(milliseconds)));
  }

  #run(round: readonly Flushable[], start: number): void {
    for (const stream of round) this.#flush(stream);
    this.#frame.clear();
    const cost = performance.now() - start;
    const gap = Math.min(Math.max(this.#gap, cost * GAP_PER_COST), this.#gap * LONGEST_GAP);
    for (const stream of round) stream.restUntil = start + gap;
  }

  #flush(stream: Flushable): void {
    try {
      stream.flush(this.#frame);
    } catch (error) {
      this.#onError(error);
    }
  }
}
