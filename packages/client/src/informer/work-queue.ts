import {
  type Ambient,
  actualValueText,
  checkOptionNames,
  optionError,
  printErrors,
  type Timer,
} from '@ashlar/core';
import { backOffDelay } from '../client/back-off.ts';

/** When to work on a key again; undefined if it is done. */
export interface WorkResult {
  readonly againAfterMilliseconds: number;
}

/** Reconciles a key. Exceptions are retried, with growing delays. */
// biome-ignore lint/suspicious/noConfusingVoidType: work that returns nothing is done
export type Work<K> = (key: K, signal: AbortSignal) => Promise<WorkResult | undefined | void>;

/** How keys are worked on. */
export interface RunOptions {
  /** Number of concurrent workers. Default 1. */
  readonly workers?: number;
  /** Called with exceptions of the work. By default they are printed. */
  readonly onError?: ((error: unknown, failures: number) => void) | undefined;
}

/**
 * A queue of keys to reconcile. A key is queued once however often it is added, is never in progress twice at
 * a time, and is queued again when it is added meanwhile.
 */
export interface WorkQueue<K extends string | number = string> extends Disposable {
  /** Keys that are ready to be processed. */
  readonly length: number;
  /** Queues a key, unless the queue is closed. */
  add(key: K): void;
  /** Adds a key after a delay; the earliest of several applies. */
  addAfter(key: K, milliseconds: number): void;
  /** Adds a key after a delay that grows with its failures. */
  retry(key: K): void;
  /** Resets the failures of a key. */
  forget(key: K): void;
  /** Number of consecutive failures of a key. */
  failures(key: K): number;
  /** The next key; undefined when the queue is closed and empty. Each must be released with `done`. */
  take(): Promise<K | undefined>;
  /** Releases a key; if it was added meanwhile it is queued again. */
  done(key: K): void;
  /** Works until the queue is closed. Then running work is aborted, and awaited. */
  run(work: Work<K>, options?: RunOptions): Promise<void>;
  /** Accepts no more keys and drops the queued ones. */
  close(): void;
}

/** The clock of a queue, and its delays. */
export interface WorkQueueOptions {
  readonly ambient: Pick<Ambient, 'clock'>;
  /** Delay of the first retry. Default 5. */
  readonly baseDelayMilliseconds?: number;
  /** Maximum delay of retries. Default 1,000,000. */
  readonly maximumDelayMilliseconds?: number;
}

/**
 * A queue of keys with retries.
 *
 * @example
 * using queue = createWorkQueue({ ambient });
 * informer.addHandler({ added: (object) => queue.add(keyOf(object)) });
 * await queue.run(async (key) => reconcile(key), { workers: 2 });
 */
export function createWorkQueue<K extends string | number = string>(options: WorkQueueOptions): WorkQueue<K> {
  checkQueueOptions(options);
  return new KeyedQueue<K>(options);
}

function checkQueueOptions(options: unknown): void {
  checkOptionNames('createWorkQueue', options, [
    'ambient',
    'baseDelayMilliseconds',
    'maximumDelayMilliseconds',
  ]);
  const { ambient } = options as Partial<WorkQueueOptions>;
  if (typeof ambient?.clock?.setTimer === 'function') return;
  const expected = 'something with a clock, such as nodeAmbient(vocabulary) or a test server';
  throw optionError('createWorkQueue', 'ambient', expected, ambient);
}

function checkKey(key: unknown): void {
  if (typeof key === 'string' || typeof key === 'number') return;
  throw new TypeError(`a work queue takes keys, such as keyOf(object), not ${actualValueText(key)}`);
}

class KeyedQueue<K extends string | number> implements WorkQueue<K> {
  readonly #options: WorkQueueOptions;
  /** In the order of addition. */
  readonly #waiting = new Set<K>();
  readonly #working = new Set<K>();
  /** Added again while in progress. */
  readonly #again = new Set<K>();
  readonly #failures = new Map<K, number>();
  readonly #delayed = new Map<K, { readonly at: number; readonly timer: Timer }>();
  readonly #takers: ((key: K | undefined) => void)[] = [];
  readonly #closing = new AbortController();

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  get length(): number {
    return this.#waiting.size;
  }

  add(key: K): void {
    checkKey(key);
    if (this.#closing.signal.aborted) return;
    if (this.#working.has(key)) this.#again.add(key);
    else {
      this.#waiting.add(key);
      this.#hand();
    }
  }

  addAfter(key: K, milliseconds: number): void {
    checkKey(key);
    if (this.#closing.signal.aborted) return;
    if (milliseconds <= 0) this.add(key);
    else this.#wait(key, milliseconds);
  }

  #wait(key: K, milliseconds: number): void {
    const { clock } = this.#options.ambient;
    const at = clock.monotonic() + milliseconds;
    const pending = this.#delayed.get(key);
    if (pending && pending.at <= at) return;
    pending?.timer.clear();
    const timer = clock.setTimer(milliseconds, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { at, timer });
  }

  retry(key: K): void {
    const failures = this.failures(key) + 1;
    this.#failures.set(key, failures);
    const { baseDelayMilliseconds: base = 5, maximumDelayMilliseconds: maximum = 1_000_000 } = this.#options;
    this.addAfter(key, backOffDelay({ base, maximum }, failures));
  }

  forget(key: K): void {
    this.#failures.delete(key);
  }

  failures(key: K): number {
    return this.#failures.get(key) ?? 0;
  }

  take(): Promise<K | undefined> {
    return new Promise((resolve) => {
      this.#takers.push(resolve);
      this.#hand();
    });
  }

  done(key: K): void {
    this.#working.delete(key);
    if (this.#again.delete(key)) this.add(key);
  }

  async run(
    work: Work<K>,
    { workers = 1, onError = printErrors('work queue') }: RunOptions = {},
  ): Promise<void> {
    if (typeof work !== 'function')
      throw new TypeError(`queue.run takes a function of a key, not ${actualValueText(work)}`);
    if (!Number.isInteger(workers) || workers < 1)
      throw optionError('queue.run', 'workers', 'a whole number from 1', workers);
    const worker = async (): Promise<void> => {
      for (let key = await this.take(); key !== undefined; key = await this.take()) {
        await this.#work(key, work, onError);
      }
    };
    await Promise.all(Array.from({ length: workers }, worker));
  }

  close(): void {
    this.#closing.abort(new Error('the queue has been closed'));
    for (const { timer } of this.#delayed.values()) timer.clear();
    this.#delayed.clear();
    this.#waiting.clear();
    this.#again.clear();
    this.#hand();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #work(key: K, work: Work<K>, onError: NonNullable<RunOptions['onError']>): Promise<void> {
    try {
      const result = await work(key, this.#closing.signal);
      this.forget(key);
      if (result) this.addAfter(key, result.againAfterMilliseconds);
    } catch (error) {
      if (!this.#closing.signal.aborted) {
        this.retry(key);
        onError(error, this.failures(key));
      }
    } finally {
      this.done(key);
    }
  }

  /** Returns queued keys to waiting callers. */
  #hand(): void {
    for (const key of this.#waiting) {
      const resolve = this.#takers.shift();
      if (!resolve) return;
      this.#waiting.delete(key);
      this.#working.add(key);
      resolve(key);
    }
    if (this.#closing.signal.aborted) for (const resolve of this.#takers.splice(0)) resolve(undefined);
  }
}
