import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Turns } from '@ashlar/core';

/** How long the next slice of long work waits for each request that began since the last one, in milliseconds. */
const WAIT_PER_REQUEST = 2;
/**
 * Maximum wait of a slice, as a multiple of the duration of the last one: long work gets at least a tenth of
 * the time.
 */
const LONGEST_WAIT = 9;
/** Maximum duration that one slice counts, in milliseconds. */
const LONGEST_SLICE = 50;

/** A caller that waits for its turn. */
interface Waiting {
  readonly resume: () => void;
  /** Milliseconds that it has taken outside of any turn. */
  readonly usedMilliseconds: number;
}

/**
 * Turns of a thread of Node: one slice of long work at a time, and between two slices requests are answered.
 * Under load long work gets a tenth of the time; without load it continues immediately.
 */
export class FairTurns implements Turns {
  readonly #waiting: Waiting[] = [];
  #isRunning = false;
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
      this.#waiting.push({ resume, usedMilliseconds });
      if (!this.#isRunning) void this.#run();
    });
  }

  atEndOfTurn(call: () => void): void {
    // ticks that are queued by a microtask run once the microtask queue is empty
    queueMicrotask(() => process.nextTick(call));
  }

  inNextTurn(call: () => void): void {
    setImmediate(call);
  }

  processorTime(): number {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      await nextTurn();
      await this.#letRequestsGo();
      const requests = this.#requests;
      const begin = this.#now();
      const { resume, usedMilliseconds } = this.#waiting.shift() as Waiting;
      resume();
      // waiting work continues before the next turn
      await nextTurn();
      const end = this.#now();
      this.#last = { milliseconds: usedMilliseconds + Math.min(end - begin, LONGEST_SLICE), end, requests };
    }
    this.#isRunning = false;
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
