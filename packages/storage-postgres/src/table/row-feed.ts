import type { Clock, Timer } from '@ashlar/core';
import { type Listen, SteadyListening } from '../steady-listening.ts';

/** How often changes are read without a notification, which a proxy may lose. */
const POLL_MILLISECONDS = 5000;
/** Shorter than changes are noted: after that, some of them may be gone. */
const LONGEST_GAP_MILLISECONDS = 12 * 60 * 60 * 1000;

/** A row that has changed; without a name any of them may have. */
export interface ChangedRow {
  readonly name: string | undefined;
  readonly namespace: string;
}

/** The log of a table. */
export interface RowSource {
  /** Reads the changes that were not visible at a position, and the position after them. */
  read(position: string): Promise<{ readonly position: string; readonly rows: readonly ChangedRow[] }>;
  readonly listen: Listen;
}

export interface RowFeedOptions {
  readonly source: RowSource;
  readonly clock: Clock;
  /** Changes after it are reported. */
  readonly position: string;
  readonly changed: (row: ChangedRow) => void;
  /** Called when changes cannot be read, once until they can be again. */
  readonly onError: (error: unknown) => void;
}

/** Reports each row that changes, whenever its transaction becomes visible. */
export class RowFeed implements Disposable {
  readonly #source: RowSource;
  readonly #clock: Clock;
  readonly #changed: (row: ChangedRow) => void;
  readonly #onError: (error: unknown) => void;
  #isFailing = false;
  #position: string;
  #readAt: number;
  #reading = false;
  #again = false;
  readonly #listening: SteadyListening;
  #timer: Timer | undefined;
  #closed = false;

  constructor({ source, clock, position, changed, onError }: RowFeedOptions) {
    this.#source = source;
    this.#clock = clock;
    this.#position = position;
    this.#changed = changed;
    this.#onError = onError;
    this.#readAt = clock.monotonic();
    this.#listening = new SteadyListening(source.listen, clock, () => void this.#read());
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#timer?.clear();
    this.#listening[Symbol.dispose]();
  }

  async #read(): Promise<void> {
    this.#again = true;
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (this.#again && !this.#closed) await this.#readOnce();
      this.#isFailing = false;
    } catch (error) {
      this.#failed(error);
    }
    this.#reading = false;
    this.#timer?.clear();
    if (!this.#closed) this.#timer = this.#clock.setTimer(POLL_MILLISECONDS, () => void this.#read());
  }

  /** What has changed is found by the next poll; until then the server does not know of it. */
  #failed(error: unknown): void {
    if (!this.#isFailing && !this.#closed) this.#onError(error);
    this.#isFailing = true;
  }

  async #readOnce(): Promise<void> {
    this.#again = false;
    const { position, rows } = await this.#source.read(this.#position);
    if (this.#closed) return;
    const now = this.#clock.monotonic();
    const isGap = now - this.#readAt > LONGEST_GAP_MILLISECONDS;
    [this.#position, this.#readAt] = [position, now];
    if (isGap || rows.some(({ name }) => name === undefined))
      this.#changed({ name: undefined, namespace: '' });
    else for (const row of rows) this.#changed(row);
  }
}
