import type { Entry, SharedEntries } from '../contracts/entry.ts';
import type { SelectedPage } from '../objects/read-selected.ts';
import { isBelow } from './entry-tree.ts';

/** Maximum number of ranges; the oldest one is dropped first. */
const MAXIMUM_RANGES = 16;

/** Shorter ranges are read again: each write looks at every shared one. */
const MINIMUM_ENTRIES = 128;

/** The entries of whole prefixes, and of their first pages, in the newest state: each shared by all reads until an entry below the prefix is written. */
export class SharedRanges {
  readonly #ranges: Map<string, { readonly prefix: string; readonly page: SelectedPage }> = new Map();

  /** Returns the first entries of a prefix, as many as a limit allows. */
  get(prefix: string, limit: number): SelectedPage | undefined {
    const whole = this.#ranges.get(prefix)?.page;
    return whole && whole.entries.length <= limit ? whole : this.#ranges.get(pageKey(prefix, limit))?.page;
  }

  /** Shares the first entries of a prefix, unless they are few. */
  share(prefix: string, limit: number, { entries, remaining }: FirstPage): SelectedPage {
    if (entries.length < MINIMUM_ENTRIES) return { entries, remaining };
    const shared: SharedEntries = { entries, memo: undefined };
    const page = { entries, remaining, shared };
    this.#ranges.set(remaining === 0 ? prefix : pageKey(prefix, limit), { prefix, page });
    if (this.#ranges.size > MAXIMUM_RANGES) this.#ranges.delete(this.#ranges.keys().next().value as string);
    return page;
  }

  /** Drops the ranges of the prefixes that a key is below. */
  drop(key: string): void {
    for (const [name, { prefix }] of this.#ranges) if (isBelow(prefix, key)) this.#ranges.delete(name);
  }
}

interface FirstPage {
  readonly entries: readonly Entry[];
  readonly remaining: number;
}

/** Prefixes begin with a slash. */
const pageKey = (prefix: string, limit: number): string => `${limit}${prefix}`;
