import type { Entry, KeyValueEvent } from '@ashlar/storage';
import type { Change } from './change-batch.ts';

/** One write in flight to the file. */
export interface InFlight extends Change {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  /** Rejections that saw this write: returned with it. */
  readonly witnesses: Witness[];
}

/** Waits until a write is durable, or has failed. */
interface Witness {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * The state of the store when everything in flight is durable: the conditions of new writes are checked
 * against it.
 */
export class SpeculativeHead {
  readonly #committed: (key: string) => Entry | undefined;
  /** The newest write in flight of each key. */
  readonly #newest: Map<string, InFlight> = new Map();
  /** All of them, oldest first, from `#first` on. */
  #writes: InFlight[] = [];
  #first: number = 0;

  /** @param committed the durable value of a key */
  constructor(committed: (key: string) => Entry | undefined) {
    this.#committed = committed;
  }

  /** Number of writes in flight. */
  get length(): number {
    return this.#writes.length - this.#first;
  }

  /** The future value of a key. */
  get(key: string): Entry | undefined {
    const write = this.#newest.get(key);
    return write ? write.event.entry : this.#committed(key);
  }

  /** The write in flight that decides the value of a key; undefined if that is durable. */
  deciding(key: string): InFlight | undefined {
    return this.#newest.get(key);
  }

  push(write: InFlight): void {
    this.#newest.set(write.event.key, write);
    this.#writes.push(write);
  }

  /** Removes the oldest write: it is durable now. */
  shift(): InFlight {
    const write = this.#writes[this.#first++];
    if (!write) throw new RangeError('more writes were committed than are in flight');
    this.#forget(write.event, write);
    if (this.#first > 1024 && this.#first * 2 > this.#writes.length) {
      this.#writes = this.#writes.slice(this.#first);
      this.#first = 0;
    }
    return write;
  }

  /** Resets to the durable state, and returns the writes in flight. */
  clear(): InFlight[] {
    const inFlight = this.#writes.slice(this.#first);
    this.#writes = [];
    this.#first = 0;
    this.#newest.clear();
    return inFlight;
  }

  #forget({ key }: KeyValueEvent, write: InFlight): void {
    if (this.#newest.get(key) === write) this.#newest.delete(key);
  }
}
