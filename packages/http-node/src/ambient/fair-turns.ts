import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Turns } from '@ashlar/core';

/** How long the next slice of long work waits for each request that began since the last one, in milliseconds. */
const WAIT_PER_REQUEST = 2;
/** Slices wait at most so many times as long as the last one took: long work keeps a tenth of the time, whatever comes. */
const LONGEST_WAIT = 9;
/** What one slice counts for at most, in milliseconds. */
const LONGEST_SLICE = 50;

/**
 * Turns of a thread of Node: one slice of long work at a time, and between two slices the requests that come have their answers. While
 * many come, long work gets a tenth of the time; while none come it goes on at once.
 */
export class FairTurns implements Turns {
  readonly #waiting: (() => void)[] = [];
  #isRunning = false;
  #requests = 0;
  /** The last slice of long work: how long it took, when it ended, and how many requests had come when it began. */
  #last: { milliseconds: number; end: number; requests: number } = { milliseconds: 0, end: 0, requests: 0 };

  requestBegan(): void {
    this.#requests++;
  }

  pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isRunning) void this.#run();
    });
  }

  atEndOfTurn(call: () => void): void {
    // ticks that are queued by a microtask run once no microtask is left
    queueMicrotask(() => process.nextTick(call));
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      await nextTurn();
      await this.#letRequestsGo();
      const requests = this.#requests;
      const begin = performance.now();
      this.#waiting.shift()?.();
      // whoever was waiting goes on before the next turn
      await nextTurn();
      const end = performance.now();
      this.#last = { milliseconds: Math.min(end - begin, LONGEST_SLICE), end, requests };
    }
    this.#isRunning = false;
  }

  async #letRequestsGo(): Promise<void> {
    const { milliseconds, end, requests } = this.#last;
    for (;;) {
      const owed = Math.min((this.#requests - requests) * WAIT_PER_REQUEST, milliseconds * LONGEST_WAIT);
      if (performance.now() - end >= owed) return;
      await sleep(1);
    }
  }
}
