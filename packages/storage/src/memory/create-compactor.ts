import type { Clock, Timer } from '@ashlar/core';
import { type KeyValueStore, StoreClosedError } from '../contracts/key-value-store.ts';

/** How a compactor goes about it. */
export interface CompactorOptions {
  readonly clock: Clock;
  /** How old a superseded state is at least, in milliseconds, before it goes, and at most twice that. More than 0. */
  readonly intervalMilliseconds: number;
  /** Told why a compaction failed; the next is tried all the same. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Compacts a store time and again: at each interval the states from before the last one go. Several replicas over one
 * store may each have one: none compacts what is younger than the interval. Ends when it is disposed of, or the store is closed.
 *
 * @throws TypeError where the interval is not positive
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
