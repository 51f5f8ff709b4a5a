import type { MaybePromise } from '@ashlar/core';
import type { Entry } from '../contracts/entry.ts';
import { selects } from '../contracts/entry-selection.ts';
import type { KeyValueStore, RangeOptions, RangeResult } from '../contracts/key-value-store.ts';

/** Entries per page while searching for selected ones. */
const SCAN = 500;

/** Like `range` with `select` for every engine: those without support are read page by page. */
export function rangeSelected(
  store: KeyValueStore,
  prefix: string,
  options: RangeOptions = {},
): MaybePromise<RangeResult> {
  return options.select && !store.supports.selection
    ? scan(store, prefix, options)
    : store.range(prefix, options);
}

async function scan(store: KeyValueStore, prefix: string, options: RangeOptions): Promise<RangeResult> {
  const { select, limit, ...rest } = options;
  if (!select || limit === 0) return store.range(prefix, { ...rest, ...(limit === 0 && { limit }) });
  const found: Entry[] = [];
  for (let next: RangeOptions = rest; ; ) {
    const page = await store.range(prefix, limit === undefined ? next : { ...next, limit: SCAN });
    for (const [i, entry] of page.entries.entries()) {
      if (!selects(select, entry) || found.push(entry) !== limit) continue;
      const remaining = page.remaining + page.entries.length - i - 1;
      return { entries: found, remaining, revision: page.revision };
    }
    const last = page.entries.at(-1);
    if (page.remaining === 0 || !last) return { entries: found, remaining: 0, revision: page.revision };
    next = { after: last.key, atRevision: page.revision };
  }
}
