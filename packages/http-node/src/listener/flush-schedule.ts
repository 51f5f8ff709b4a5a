import { performance } from 'node:perf_hooks';
import { afterReads } from '../ambient/next-turn.ts';
import { SharedFrame } from './shared-frame.ts';

/** A stream that waits to be flushed. */
export interface Flushable {
  /** Earliest time of the next flush, on the clock of the schedule, which sets it after a flush. */
  restUntil: number;
  flush(frame: SharedFrame): void;
}

/** The share of time for flushes: gaps are this many times as long as the last round, within the bounds below. */
const GAP_PER_COST = 6;
/** Maximum gap for each stream of a round, in milliseconds: a round is also long because other programs took the processor. */
const GAP_PER_STREAM = 0.5;
/** Maximum gap, as a multiple of the configured one. Hundreds of busy streams reach it: what they save is a write of each socket. */
const LONGEST_GAP = 512;
/** Responses follow in the next turn where at most so many streams are flushed, and precede them where there are more. */
const FEW_STREAMS = 16;

/**
 * Decides when streams are flushed, and when responses are written that were not ready at once. Everything written in one turn of the event loop is flushed at its end; a
 * stream that has just been flushed rests for a moment, so that busy streams gather several events
 * into one write of the socket (and one TLS record) while quiet ones are not delayed. The moment is short where few streams
 * are flushed: a controller that acts on an object before its last event arrives meets conflicts. If flushing many
 * streams takes long, the gap grows, so that each flush carries more events.
 */
export class FlushSchedule {
  readonly #gap: number;
  readonly #onError: (error: unknown) => void;
  readonly #now: () => number;
  readonly #frame = new SharedFrame();
  #soon: Flushable[] = [];
  #late: Flushable[] = [];
  /** When the first of the streams that rest has rested, so that a turn need not look at each. */
  #nextRested = Infinity;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Infinity;
  #responses: (() => void)[] = [];
  #ready: (() => void)[] = [];
  /** Responses of the last turn, whose events have been written. */
  #held: readonly (() => void)[] = [];
  #runsAtTurnEnd = false;

  /**
   * @param gap milliseconds between two flushes of one stream; 0 flushes at the end of every turn
   * @param onError called with errors of callbacks; others are not affected
   * @param now a monotonic clock, in milliseconds
   */
  constructor(gap: number, onError: (error: unknown) => void, now: () => number = () => performance.now()) {
    this.#gap = gap;
    this.#onError = onError;
    this.#now = now;
  }

  /** Requests a flush; further calls have no effect until it happens. */
  add(stream: Flushable): void {
    if (stream.restUntil <= this.#now()) {
      this.#soon.push(stream);
      this.#runAtTurnEnd();
    } else {
      this.#late.push(stream);
      this.#nextRested = Math.min(this.#nextRested, stream.restUntil);
      this.#arm();
    }
  }

  /**
   * Calls back at the end of this turn. A write wakes a client that waits, which may cost more than the response itself: of
   * several writes at once only the first does. If a few streams are flushed, their events precede by a turn: a controller that
   * has changed an object and reads it from its cache must not find the former one, and of what is written in one turn of
   * HTTP/2, Node sends the heads of responses first. Many streams follow, so that responses do not wait for them.
   */
  respond(write: () => void): void {
    this.#responses.push(write);
    this.#runAtTurnEnd();
  }

  /** For a response that was ready at once: it is written with those of its round, whatever is flushed in it. */
  respondReady(write: () => void): void {
    this.#ready.push(write);
  }

  /** Writes the responses that were ready at once. */
  writeReady(): void {
    const ready = this.#ready;
    this.#ready = [];
    this.#writeAll(ready);
  }

  #runAtTurnEnd(): void {
    if (this.#runsAtTurnEnd) return;
    this.#runsAtTurnEnd = true;
    afterReads(this.#runSoon);
  }

  readonly #runSoon = (): void => {
    // first of all: what is added meanwhile waits for the end of the next turn
    this.#runsAtTurnEnd = false;
    const responses = this.#responses;
    this.#responses = [];
    const soon = this.#soon;
    this.#soon = [];
    this.#writeAll(this.#held);
    this.#held = [];
    this.#write(soon.concat(this.#takeRested(this.#now())), responses);
  };

  readonly #runLate = (): void => {
    this.#timerAt = Infinity;
    // a timer may fire a fraction of a millisecond early
    const round = this.#takeRested(this.#now() + 1);
    const isLong = round.length > FEW_STREAMS;
    const responses = isLong ? this.#responses : [];
    if (isLong) this.#responses = [];
    this.#write(round, responses);
    if (this.#late.length > 0) this.#arm();
  };

  #write(round: readonly Flushable[], responses: readonly (() => void)[]): void {
    if (round.length === 0 || round.length > FEW_STREAMS) this.#writeAll(responses);
    else if (responses.length > 0) {
      this.#held = responses;
      this.#runAtTurnEnd();
    }
    this.#run(round);
  }

  #writeAll(responses: readonly (() => void)[]): void {
    for (const write of responses) {
      try {
        write();
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  #takeRested(now: number): readonly Flushable[] {
    if (this.#nextRested > now) return [];
    const rested: Flushable[] = [];
    const rest: Flushable[] = [];
    for (const stream of this.#late) (stream.restUntil <= now ? rested : rest).push(stream);
    this.#late = rest;
    this.#nextRested = rest.reduce((soonest, { restUntil }) => Math.min(soonest, restUntil), Infinity);
    return rested;
  }

  /** Sets the timer for the stream that has rested first, also where it was set for a later one. */
  #arm(): void {
    if (this.#timerAt <= this.#nextRested) return;
    clearTimeout(this.#timer);
    this.#timerAt = this.#nextRested;
    this.#timer = setTimeout(this.#runLate, Math.max(1, Math.ceil(this.#nextRested - this.#now())));
  }

  #run(round: readonly Flushable[]): void {
    if (round.length === 0) return;
    const start = this.#now();
    for (const stream of round) this.#flush(stream);
    this.#frame.clear();
    const cost = this.#now() - start;
    const long = Math.min(cost * GAP_PER_COST, round.length * GAP_PER_STREAM, this.#gap * LONGEST_GAP);
    const gap = Math.max(this.#gap, long);
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
