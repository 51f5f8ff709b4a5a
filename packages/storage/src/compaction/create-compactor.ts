import type { Clock, Timer } from '@ashlar/core';
import { type KeyValueStore, StoreClosedError } from '../contracts/key-value-store.ts';

/** Options of a compactor. */
export interface CompactorOptions {
  readonly clock: Clock;
  /** Minimum age of compacted states in milliseconds; they are compacted before twice that. Greater than 0. */
  readonly intervalMilliseconds: number;
  /** Called with errors of compactions, which are retried at the next interval. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Compacts a store regularly: at each interval the states from before the previous one are discarded. Several replicas of one store may
 * each have a compactor. Ends when it is disposed, or the store is closed.
 *
 * @throws TypeError if the interval is not positive
 * @example
 * using compactor = createCompactor(store, { clock, intervalMilliseconds: 300_000 });
 */
export function createCompactor(store: KeyValueStore, options: CompactorOptions): Disposable {
  const { clock, intervalMilliseconds, onError } = options;
  if (!(intervalMilliseconds > 0)) throw new TypeError('the interval of a compactor is more than 0');
  let over = false;
  let last: number | undefined;
  let timer: Timer | undefined;
  const compact = async (): Promise<void> => {
    try {
      const current = await store.currentRevision();
      if (last !== undefined && !over) await store.compact(last);
      last = current;
    } catch (error) {
      if (StoreClosedError.is(error)) over = true;
      else onError?.(error);
    }
    if (!over) arm();
  };
  const arm = (): void => {
    timer = clock.setTimer(intervalMilliseconds, () => void compact());
  };
  arm();
  return {
    [Symbol.dispose]: () => {
      over = true;
      timer?.clear();
    },
  };
}
