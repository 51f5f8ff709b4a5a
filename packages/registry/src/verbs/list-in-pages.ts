import { type Ambient, type MaybePromise, pause, runInSlices, type Steps } from '@ashlar/core';
import type { ListOptions, ListResult, ObjectRecord, ObjectStore } from '@ashlar/storage';
import type { StoredResource } from '../definition/stored-resource.ts';
import { isLargeRecord } from '../objects/large-object.ts';

/** Records per page if only their keys are read. */
const PAGE = 10_000;
/** Records per page if each is matched. */
const SELECTED_PAGE = 1_000;
/** How long reading runs before other requests are handled. */
const SLICE_MILLISECONDS = 10;

/**
 * Lists like the store, but reads long lists and selections without an index in pages between which the event loop runs.
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
  return pages.read(ambient);
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

  async read(ambient: Ambient): Promise<ListResult> {
    const { clock } = ambient;
    const { signal, limit: _, select, ...first } = this.#options;
    // the store evaluates indexed conditions, the others are matched here
    const indexed = select && select.conditions.length > 0 ? { conditions: select.conditions } : undefined;
    const same = {
      limit: Math.min(select?.matches ? SELECTED_PAGE : PAGE, this.#limit),
      ...(signal && { signal }),
      ...(indexed && { select: indexed }),
    };
    let since = clock.monotonic();
    for (let next: ListOptions = Object.assign({}, first, same); ; ) {
      const page = await this.#store.list(this.#prefix, next);
      const rest = await runInSlices(this.#addSteps(page), ambient);
      if (rest !== undefined) return this.#result(page, rest);
      const last = page.records.at(-1) as ObjectRecord;
      next = { ...same, after: last.key, atRevision: page.revision };
      if (clock.monotonic() - since < SLICE_MILLISECONDS) continue;
      await pause(ambient);
      signal?.throwIfAborted();
      since = clock.monotonic();
    }
  }

  /** Adds the selected records of a page. Returns the remaining count if the list ends with it. */
  *#addSteps({ records, remaining }: ListResult): Steps<number | undefined> {
    const matches = this.#options.select?.matches;
    const found: ObjectRecord[] = [];
    const missing = this.#limit - this.#count;
    if (!matches && records.length <= missing) return this.#addAll(records, remaining);
    this.#found.push(found);
    for (const [i, record] of records.entries()) {
      if (matches && isLargeRecord(record)) yield;
      if (matches && !matches(record)) continue;
      if (found.push(record) === missing) return remaining + records.length - i - 1;
    }
    this.#count += found.length;
    return remaining === 0 || records.length === 0 ? 0 : undefined;
  }

  #addAll(records: readonly ObjectRecord[], remaining: number): number | undefined {
    this.#found.push(records);
    this.#count += records.length;
    if (this.#count === this.#limit) return remaining;
    return remaining === 0 || records.length === 0 ? 0 : undefined;
  }

  #result({ records, revision, identity }: ListResult, remaining: number): ListResult {
    const [first = [], ...others] = this.#found;
    const isWhole = first === records && identity;
    const all = others.length === 0 ? first : first.concat(...others);
    return { records: all, remaining, revision, ...(isWhole && { identity }) };
  }
}
