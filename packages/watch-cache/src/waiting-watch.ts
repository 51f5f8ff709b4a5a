import type { Watch, WatchObserver } from '@ashlar/storage';
import type { CacheFeed } from './cache-feed.ts';

/** A watch that begins when the feed is ready; ends at once where that has been stopped. */
export function openWhenReady(feed: CacheFeed, observer: WatchObserver, open: () => Watch): Watch {
  let watch: Watch | undefined;
  const forget = feed.onReady(() => {
    try {
      watch = open();
    } catch (error) {
      tell(observer, error as Error);
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

/** An observer that cannot bear its end must not keep the others from theirs. */
function tell(observer: WatchObserver, error: Error): void {
  try {
    observer.error(error);
  } catch {
    // It has been told, and that it cannot bear it concerns nobody else.
  }
}
