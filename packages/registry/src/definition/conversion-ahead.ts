import { type Ambient, andThen, type MaybePromise, type Timer } from '@ashlar/core';
import type { ObjectEvent, ObjectRecord, ObjectStore } from '@ashlar/storage';

/** How long changes are gathered, to be converted together. */
const GATHER_MILLISECONDS = 100;
/** Objects that are converted with one call. */
const OBJECTS_AT_ONCE = 500;
/** How long after its last read a version is kept converted. */
const IDLE_MILLISECONDS = 600_000;

export interface ConversionAheadOptions {
  /** Whose records are not converted yet. */
  readonly store: ObjectStore;
  /** Of the keys of the type. */
  readonly prefix: string;
  readonly ambient: Pick<Ambient, 'clock'>;
  /** Converts records, for lists and watches to use. */
  convert(records: readonly ObjectRecord[]): MaybePromise<void> | undefined;
}

/**
 * Converts objects of a type to a version that clients read, a moment after they change, so that lists and watches need not wait for a
 * webhook (semantics/lifecycle#conversion). One call runs at a time, with the latest state of every object that changed before it; what
 * cannot be converted is left to the requests that need it.
 */
export class ConversionAhead implements Disposable {
  readonly #options: ConversionAheadOptions;
  /** The latest state of each object that waits to be converted, by key. */
  readonly #changed: Map<string, ObjectRecord> = new Map();
  #watch: Disposable | undefined;
  #isStarting = false;
  #isConverting = false;
  #isOver = false;
  #timer: Timer | undefined;
  #lastRead = 0;

  constructor(options: ConversionAheadOptions) {
    this.#options = options;
  }

  /** Notes that the version is read: from now on changes are converted. */
  noteRead(): void {
    this.#lastRead = this.#options.ambient.clock.monotonic();
    if (this.#watch || this.#isStarting || this.#isOver) return;
    this.#isStarting = true;
    this.#start().catch(() => this.#stop());
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#stop();
  }

  async #start(): Promise<void> {
    const { store, prefix } = this.#options;
    const afterRevision = await store.currentRevision();
    if (this.#isOver) return;
    this.#watch = store.watch(
      prefix,
      { afterRevision, onUnreadable: () => {} },
      { events: (batch) => this.#gather(batch), error: () => this.#stop() },
    );
    this.#isStarting = false;
  }

  /** The next read starts again. */
  #stop(): void {
    this.#watch?.[Symbol.dispose]();
    this.#watch = undefined;
    this.#isStarting = false;
    this.#timer?.clear();
    this.#timer = undefined;
    this.#changed.clear();
  }

  #gather(batch: readonly ObjectEvent[]): void {
    for (const { type, record } of batch) {
      if (type === 'removed') this.#changed.delete(record.key);
      else this.#changed.set(record.key, record);
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#timer || this.#isConverting || this.#changed.size === 0) return;
    const { clock } = this.#options.ambient;
    this.#timer = clock.setTimer(GATHER_MILLISECONDS, () => {
      this.#timer = undefined;
      if (clock.monotonic() - this.#lastRead > IDLE_MILLISECONDS) this.#stop();
      else this.#convert().finally(() => this.#schedule());
    });
  }

  async #convert(): Promise<void> {
    const records = [...this.#changed.values()].slice(0, OBJECTS_AT_ONCE);
    for (const { key } of records) this.#changed.delete(key);
    this.#isConverting = true;
    try {
      await andThen(this.#options.convert(records), () => {});
    } catch {
      // a request that needs them gets the error
    } finally {
      this.#isConverting = false;
    }
  }
}
