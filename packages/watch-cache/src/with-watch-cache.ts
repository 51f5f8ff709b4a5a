import type { KeyValueStore } from '@ashlar/storage';
import { CachedStore } from './cached-store.ts';
import type { WatchCache, WatchCacheOptions } from './watch-cache.ts';

/**
 * Keeps the newest state of a store, and its recent past, in memory, fed by one watch; gets, ranges and watches
 * are answered from there with all that the store's contract promises. A read without `atRevision` first learns the newest revision of the
 * store below, one question for all reads that come together, and waits until the cache has seen it: what any replica has been acknowledged
 * is seen by every later read.
 *
 * Where the cache cannot confirm that in time the store below is read (semantics/list-and-watch#list); while the first state is still being read, a
 * range without limit fails with a StatusError 429 (semantics/status#situations). The store below is disposed of with the cache.
 *
 * @throws TypeError where the prefix does not end with `/`
 * @example
 * const store = withWatchCache(await createEtcdStore({ endpoints }), { clock });
 * await store.range('/pods/'); // from memory, and as new as etcd
 */
export function withWatchCache(store: KeyValueStore, options: WatchCacheOptions): WatchCache {
  const { prefix = '' } = options;
  if (prefix !== '' && !prefix.endsWith('/'))
    throw new TypeError(`the prefix ${JSON.stringify(prefix)} does not end with /`);
  return new CachedStore(store, options);
}
