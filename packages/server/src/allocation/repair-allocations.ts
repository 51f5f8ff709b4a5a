import type { Clock, Timer } from '@ashlar/core';
import type { ObjectAllocator } from '@ashlar/registry';

/** Interval at which records of allocations are compared with the stored objects. */
const INTERVAL_MILLISECONDS = 180_000;

/** Makes the records of all allocators agree with the stored objects. */
export async function repairAllocations(allocators: readonly ObjectAllocator[]): Promise<void> {
  for (const allocator of allocators) await allocator.repair();
}

/** Repairs the records from time to time, from `start` until it is disposed. */
export class AllocationRepair implements Disposable {
  readonly #allocators: readonly ObjectAllocator[];
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(
    allocators: readonly ObjectAllocator[],
    { clock, onError }: { readonly clock: Clock; readonly onError: (error: unknown) => void },
  ) {
    this.#allocators = allocators;
    this.#clock = clock;
    this.#onError = onError;
  }

  start(): void {
    if (this.#isClosed || this.#allocators.length === 0) return;
    this.#timer = this.#clock.setTimer(INTERVAL_MILLISECONDS, () => void this.#run());
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#timer?.clear();
  }

  async #run(): Promise<void> {
    try {
      await repairAllocations(this.#allocators);
    } catch (error) {
      if (!this.#isClosed) this.#onError(error);
    }
    this.start();
  }
}
