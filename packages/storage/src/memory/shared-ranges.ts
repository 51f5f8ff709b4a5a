import type { Entry, SharedEntries } from '../contracts/entry.ts';
import { isBelow } from './entry-tree.ts';

/** Maximum number of ranges; the oldest one is dropped first. */
const MAXIMUM_RANGES = 16;

/** Shorter ranges are read again: each write looks at every shared one. */
const MINIMUM_ENTRIES = 128;

/** The entries of whole prefixes in the newest state, each shared by all reads until an entry below the prefix is written. */
export class SharedRanges {
  readonly #byPrefix: Map<string, SharedEntries> = new Map();

  get(prefix: string): SharedEntries | undefined {
    return this.#byPrefix.get(prefix);
  }

  /** Shares all entries of a prefix, unless they are few. */
  share(prefix: string, entries: readonly Entry[]): SharedEntries | undefined {
    if (entries.length < MINIMUM_ENTRIES) return undefined;
    const shared: SharedEntries = { entries, memo: undefined };
    this.#byPrefix.set(prefix, shared);
    if (this.#byPrefix.size > MAXIMUM_RANGES)
      this.#byPrefix.delete(this.#byPrefix.keys().next().value as string);
    return shared;
  }

  /** Drops the ranges in which a key is. */
  drop(key: string): void {
    for (const prefix of this.#byPrefix.keys()) if (isBelow(prefix, key)) this.#byPrefix.delete(prefix);
  }
}
