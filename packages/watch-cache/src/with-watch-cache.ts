import type { KeyValueStore } from '@ashlar/storage';
import { CachedStore } from './cached-store.ts';
import type { WatchCache, WatchCacheOptions } from './watch-cache.ts';

/**
 * Wraps a store with a cache of its newest state and recent history in memory, which one watch keeps up to date. Gets, ranges and
 * watches are served from memory with all guarantees of the store's contract. A read without `atRevision` first requests the newest
 * revision of the underlying store, once for all concurrent reads, and waits until the cache has received it: every read sees all writes
 * that were acknowledged to any replica before.
 *
 * If the cache does not catch up in time, the underlying store is read (semantics/list-and-watch#list); while the first state is still being read, a
 * range without limit fails with a StatusError 429 (semantics/status#situations). The underlying store is disposed with the cache.
 *
 * @throws TypeError if the prefix does not end with `/`
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
