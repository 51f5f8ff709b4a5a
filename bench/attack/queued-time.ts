import { closeSync, openSync, readSync } from 'node:fs';

/** The time in which the main threads of processes could have run, but others had the processor. */
export class QueuedTime implements Disposable {
  readonly #files: readonly number[];
  readonly #buffer = Buffer.alloc(128);

  constructor(pids: readonly (number | 'self')[]) {
    this.#files = pids.map((pid) => openSync(`/proc/${pid}/schedstat`, 'r'));
  }

  /** Milliseconds until now, of each process. */
  now(): readonly number[] {
    return this.#files.map((file) => {
      const length = readSync(file, this.#buffer, 0, this.#buffer.length, 0);
      return Number(this.#buffer.toString('latin1', 0, length).split(' ')[1]) / 1e6;
    });
  }

  /** Milliseconds since an earlier time, of the process that had to wait longest: they may have waited at the same time. */
  since(before: readonly number[]): number {
    return Math.max(...this.now().map((milliseconds, i) => milliseconds - (before[i] as number)));
  }

  [Symbol.dispose](): void {
    for (const file of this.#files) closeSync(file);
  }
}
