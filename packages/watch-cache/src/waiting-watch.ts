import type { Watch, WatchObserver } from '@ashlar/storage';
import type { CacheFeed } from './cache-feed.ts';

/** A watch that starts when the feed is ready; ends immediately if that has been stopped. */
export function openWhenReady(feed: CacheFeed, observer: WatchObserver, open: () => Watch): Watch {
  let watch: Watch | undefined;
  const forget = feed.onReady(() => {
    try {
      watch = open();
    } catch (error) {
      notifyError(observer, error as Error);
    }
  });
  return {
    get delivered() {
      return watch?.delivered;
    },
    [Symbol.dispose]: (): void => {
      forget();
      watch?.[Symbol.dispose]();
    },
  };
}

/** The exception of an observer must not affect the others. */
function notifyError(observer: WatchObserver, error: Error): void {
  try {
    observer.error(error);
  } catch {
    // It has been notified; its exception affects nobody else.
  }
}
