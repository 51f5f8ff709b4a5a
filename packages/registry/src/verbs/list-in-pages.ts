import { pause } from '@ashlar/core';
import type { ListOptions, ListResult, MaybePromise, ObjectRecord, ObjectStore } from '@ashlar/storage';
import type { StoredResource } from '../definition/stored-resource.ts';

/** Records that are read at once where nothing is looked at but their keys. */
const PAGE = 5_000;
/** Records that are read at once where each is looked at. */
const SELECTED_PAGE = 1_000;
/** How long reading may go on before everything else has its turn. */
const SLICE_MILLISECONDS = 10;

/**
 * Lists as the store does, but a long list, and a selection that no index answers, in pages between which the event loop turns.
 * All pages are of the revision of the first.
 */
export function listInPages(
  { store, ambient }: Pick<StoredResource, 'store' | 'ambient'>,
  prefix: string,
  options: ListOptions,
): MaybePromise<ListResult> {
  const { limit = Number.POSITIVE_INFINITY, select } = options;
  if (limit <= SELECTED_PAGE && !select?.matches) return store.list(prefix, options);
  const pages = new PagedList(store, prefix, options);
  return pages.read(() => pause(ambient), ambient.clock);
}

class PagedList {
  readonly #store: ObjectStore;
  readonly #prefix: string;
  readonly #options: ListOptions;
  readonly #limit: number;
  /** Of one page each. */
  readonly #found: (readonly ObjectRecord[])[] = [];
  #count = 0;

  constructor(store: ObjectStore, prefix: string, options: ListOptions) {
    this.#store = store;
    this.#prefix = prefix;
    this.#options = options;
    this.#limit = options.limit ?? Number.POSITIVE_INFINITY;
  }

  async read(turn: () => Promise<void>, clock: { monotonic(): number }): Promise<ListResult> {
    const { signal, limit: _, select, ...first } = this.#options;
    // what an index knows is asked of the store, the rest is looked at here
    const indexed = select && select.conditions.length > 0 ? { conditions: select.conditions } : undefined;
    const same = {
      limit: Math.min(select?.matches ? SELECTED_PAGE : PAGE, this.#limit),
      ...(signal && { signal }),
      ...(indexed && { select: indexed }),
    };
    let since = clock.monotonic();
    for (let next: ListOptions = { ...first, ...same }; ; ) {
      const page = await this.#store.list(this.#prefix, next);
      const rest = this.#take(page);
      if (rest !== undefined) return { records: this.#records(), remaining: rest, revision: page.revision };
      const last = page.records.at(-1) as ObjectRecord;
      next = { ...same, after: last.key, atRevision: page.revision };
      if (clock.monotonic() - since < SLICE_MILLISECONDS) continue;
      await turn();
      signal?.throwIfAborted();
      since = clock.monotonic();
    }
  }

  /** Keeps what is selected of a page; what remains behind it where the list ends with it. */
  #take({ records, remaining }: ListResult): number | undefined {
    const matches = this.#options.select?.matches;
    const found: ObjectRecord[] = [];
    const wanted = this.#limit - this.#count;
    if (!matches && records.length <= wanted) return this.#takeAll(records, remaining);
    this.#found.push(found);
    for (const [i, record] of records.entries()) {
      if (matches && !matches(record)) continue;
      if (found.push(record) === wanted) return remaining + records.length - i - 1;
    }
    this.#count += found.length;
    return remaining === 0 || records.length === 0 ? 0 : undefined;
  }

  #takeAll(records: readonly ObjectRecord[], remaining: number): number | undefined {
    this.#found.push(records);
    this.#count += records.length;
    if (this.#count === this.#limit) return remaining;
    return remaining === 0 || records.length === 0 ? 0 : undefined;
  }

  #records(): readonly ObjectRecord[] {
    const [first = [], ...others] = this.#found;
    return others.length === 0 ? first : first.concat(...others);
  }
}
