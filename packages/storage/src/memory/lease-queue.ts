import type { Clock, Timer } from '@ashlar/core';

/** A value that will be deleted unless it is written again. */
export interface Lease {
  readonly key: string;
  /** Revision of the write with the lease. */
  readonly revision: number;
  /** Deadline in milliseconds of the clock's monotonic time. */
  readonly deadline: number;
}

/** The engine that a queue works for. */
export interface LeaseQueueOptions {
  readonly clock: Clock;
  /** Returns whether the value of that write is still current; leases of overwritten or deleted values are dropped. */
  readonly isCurrent: (lease: Lease) => boolean;
  /** Called when a lease expires: the engine deletes the value if it is still current. */
  readonly expire: (lease: Lease) => void;
}

/** Maximum delay of timers in browsers and Node: 31 bits. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Minimum number of leases before stale ones are removed. */
const SMALL = 1024;

/** A queue of leases by deadline, with one timer for the earliest. */
export class LeaseQueue {
  readonly #options: LeaseQueueOptions;
  #heap: Lease[];
  /** The heap is shared with a fork and copied before it changes. */
  #shared: boolean = false;
  #sweepAt: number = SMALL;
  #timer: Timer | undefined;
  #armedFor: number = Number.POSITIVE_INFINITY;

  constructor(options: LeaseQueueOptions) {
    this.#options = options;
    this.#heap = [];
  }

  add(lease: Lease): void {
    this.#own();
    if (this.#heap.length >= this.#sweepAt) this.#sweep();
    push(this.#heap, lease);
    this.#arm();
  }

  /** Returns a queue with the same leases for an independent store. */
  fork(options: LeaseQueueOptions): LeaseQueue {
    const fork = new LeaseQueue(options);
    fork.#heap = this.#heap;
    fork.#sweepAt = this.#sweepAt;
    fork.#shared = true;
    this.#shared = true;
    fork.#arm();
    return fork;
  }

  /** Removes all leases. */
  clear(): void {
    this.#timer?.clear();
    this.#timer = undefined;
    this.#heap = [];
  }

  #own(): void {
    if (this.#shared) this.#heap = this.#heap.slice();
    this.#shared = false;
  }

  #sweep(): void {
    const standing = this.#heap.filter(this.#options.isCurrent);
    this.#heap = standing.sort((a, b) => a.deadline - b.deadline);
    this.#sweepAt = Math.max(SMALL, 2 * standing.length);
  }

  #arm(): void {
    const next = this.#heap[0];
    if (!next || (this.#timer && this.#armedFor <= next.deadline)) return;
    this.#timer?.clear();
    this.#armedFor = next.deadline;
    const wait = Math.max(0, next.deadline - this.#options.clock.monotonic());
    this.#timer = this.#options.clock.setTimer(Math.min(wait, LONGEST_TIMER), () => this.#ring());
  }

  #ring(): void {
    this.#timer = undefined;
    const { clock, isCurrent, expire } = this.#options;
    this.#own();
    const now = clock.monotonic();
    const due: Lease[] = [];
    while (this.#heap[0] && this.#heap[0].deadline <= now) due.push(pop(this.#heap) as Lease);
    this.#arm();
    for (const lease of due) if (isCurrent(lease)) expire(lease);
  }
}

function push(heap: Lease[], lease: Lease): void {
  let at = heap.push(lease) - 1;
  while (at > 0) {
    const up = (at - 1) >> 1;
    const parent = heap[up] as Lease;
    if (parent.deadline <= lease.deadline) break;
    heap[at] = parent;
    at = up;
  }
  heap[at] = lease;
}

function pop(heap: Lease[]): Lease | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (last && heap.length > 0) sink(heap, last);
  return first;
}

function sink(heap: Lease[], lease: Lease): void {
  let at = 0;
  for (;;) {
    let down = 2 * at + 1;
    const left = heap[down];
    if (!left) break;
    const right = heap[down + 1];
    if (right && right.deadline < left.deadline) down++;
    const child = heap[down] as Lease;
    if (lease.deadline <= child.deadline) break;
    heap[at] = child;
    at = down;
  }
  heap[at] = lease;
}
