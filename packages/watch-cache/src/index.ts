export type {
  WatchCache,
  WatchCacheOptions,
  WatchCacheStatistics,
} from './watch-cache.ts';
export { withWatchCache } from './with-watch-cache.ts';
