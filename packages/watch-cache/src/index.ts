export type {
  WatchCache,
  WatchCacheOptions,
  WatchCacheStatistics,
} from './lib/watch-cache.ts';
export { withWatchCache } from './lib/with-watch-cache.ts';
