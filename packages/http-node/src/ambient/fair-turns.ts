import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Turns } from '@ashlar/core';
import { atEndOfTurn, inNextTurn } from './next-turn.ts';

/** How long the next slice of long work waits for each request that began since the last one, in milliseconds. */
const WAIT_PER_REQUEST = 2;
/**
 * Maximum wait of a slice, as a multiple of the duration of the last one: long work gets at least a tenth of
 * the time.
 */
const LONGEST_WAIT = 9;
/** Maximum duration that one slice counts, in milliseconds. */
const LONGEST_SLICE = 50;

/**
 * How long work goes on before other begun work does, in milliseconds: most work ends within it, so that what it holds in memory is
 * free before the next one needs as much.
 */
const QUANTUM = 100;

/** A caller that waits for its turn. */
interface Waiting {
  readonly resume: () => void;
  /** Milliseconds that it has taken outside of any turn. */
  readonly usedMilliseconds: number;
}

interface Begun extends Waiting {
  /** Milliseconds of its slices since other work went on. */
  readonly milliseconds: number;
}

/**
 * Turns of a thread of Node: one slice of long work at a time, and between two slices requests are answered.
 * Under load long work gets a tenth of the time; without load it continues immediately. Work ends in the order in which it began
 * unless it is very long. Every other slice belongs to work that does not go on from one, and mostly needs one only.
 */
export class FairTurns implements Turns {
  /** Work that did not pause in a slice. */
  readonly #fresh: Waiting[] = [];
  readonly #begun: Begun[] = [];
  #wasFresh = false;
  /** Whether the next one that pauses is the one that was resumed. */
  #isResumed = false;
  /** What paused again in its slice. */
  #paused: Waiting | undefined;
  #isRunning = false;
  /** When the first work of the current turn began to take a slice of it without having paused. */
  #slicedSince: number | undefined;
  #requests = 0;
  /** The last slice of long work: its duration, its end, and the number of requests when it began. */
  #last: { milliseconds: number; end: number; requests: number } = { milliseconds: 0, end: 0, requests: 0 };
  readonly #now: () => number;

  /** @param now a monotonic clock, in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  requestBegan(): void {
    this.#requests++;
  }

  pause(usedMilliseconds = 0): Promise<void> {
    return new Promise((resume) => {
      this.#wait({ resume, usedMilliseconds });
      if (!this.#isRunning) void this.#run();
    });
  }

  maySlice(sliceMilliseconds: number): boolean {
    const now = this.#now();
    if (this.#slicedSince !== undefined) return now - this.#slicedSince < sliceMilliseconds;
    this.#slicedSince = now;
    this.atEndOfTurn(() => {
      this.#slicedSince = undefined;
    });
    return true;
  }

  atEndOfTurn(call: () => void): void {
    atEndOfTurn(call);
  }

  inNextTurn(call: () => void): void {
    inNextTurn(call);
  }

  processorTime(): number {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }

  #wait(waiting: Waiting): void {
    if (!this.#isResumed) {
      this.#fresh.push(waiting);
      return;
    }
    this.#isResumed = false;
    this.#paused = waiting;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#fresh.length + this.#begun.length > 0) {
      await nextTurn();
      await this.#letRequestsGo();
      await this.#runSlice(this.#next() as Waiting | Begun);
    }
    this.#isRunning = false;
  }

  #next(): Waiting | Begun | undefined {
    const isFresh = this.#fresh.length > 0 && !(this.#wasFresh && this.#begun.length > 0);
    this.#wasFresh = isFresh;
    return isFresh ? this.#fresh.shift() : this.#begun.shift();
  }

  async #runSlice(work: Waiting | Begun): Promise<void> {
    const requests = this.#requests;
    const begin = this.#now();
    this.#isResumed = true;
    work.resume();
    // what pauses in a later phase of the event loop is other work
    this.atEndOfTurn(() => {
      this.#isResumed = false;
    });
    // waiting work continues before the next turn
    await nextTurn();
    const end = this.#now();
    const milliseconds = work.usedMilliseconds + Math.min(end - begin, LONGEST_SLICE);
    this.#last = { milliseconds, end, requests };
    if (this.#paused) this.#waitAgain(this.#paused, work, milliseconds);
    this.#paused = undefined;
  }

  #waitAgain(paused: Waiting, work: Waiting | Begun, milliseconds: number): void {
    const total = 'milliseconds' in work ? work.milliseconds + milliseconds : QUANTUM;
    if (total < QUANTUM) this.#begun.unshift({ ...paused, milliseconds: total });
    else this.#begun.push({ ...paused, milliseconds: 0 });
  }

  async #letRequestsGo(): Promise<void> {
    const { milliseconds, end, requests } = this.#last;
    for (;;) {
      const waitMilliseconds = Math.min(
        (this.#requests - requests) * WAIT_PER_REQUEST,
        milliseconds * LONGEST_WAIT,
      );
      if (this.#now() - end >= waitMilliseconds) return;
      await sleep(1);
    }
  }
}
