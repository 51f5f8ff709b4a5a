import sortedBTree from 'sorted-btree';
import { byEnd, FlowQueue, type Queued } from './flow-queue.ts';

/** Queues that are kept without requests: most have some again soon. */
const KEPT_QUEUES = 128;

// The package is CommonJS: some loaders return its namespace, some its default export.
const Tree: typeof sortedBTree.default = 'default' in sortedBTree ? sortedBTree.default : sortedBTree;

/**
 * Fair queuing (A. Demers, S. Keshav, S. Shenker, 1989) for requests that take several seats for a time not known before: the queue comes
 * first whose oldest request would end first if all queues shared the seats equally. Virtual time is what an active queue has got by then,
 * in seats times seconds. Only queues that are used exist.
 */
export class FairQueues<T extends Queued<T>> {
  /** Queues with requests that wait or are handled, or with seats that are still occupied, and some that were used before. */
  readonly active: Map<number, FlowQueue<T>> = new Map();
  /** Queues in which requests wait. */
  readonly #backlogged = new Tree<FlowQueue<T>, undefined>(undefined, byEnd);
  #count: number;
  #busy = 0;
  #time = 0;
  #since: number;
  #dispatched = 0;
  #selected = 0;

  /** @param now milliseconds of the monotonic clock */
  constructor(count: number, now: number) {
    this.#count = count;
    this.#since = now;
  }

  /** Virtual time. */
  get time(): number {
    return this.#time;
  }

  /** Changes the number of queues; those beyond it are served until they are empty. */
  resize(count: number): void {
    this.#count = count;
  }

  /**
   * Advances virtual time; to be called before anything changes.
   * @param seats those that are occupied or waited for, at most the limit
   */
  advance(now: number, seats: number): void {
    const elapsed = (now - this.#since) / 1000;
    this.#since = now;
    if (this.#busy > 0) this.#time += (elapsed * seats) / this.#busy;
  }

  /** Selects the queue of a hand with the least waiting work. */
  select(hand: readonly number[]): FlowQueue<T> {
    const offset = this.#selected++;
    let least: FlowQueue<T> | undefined;
    for (let i = 0; i < hand.length; i++) {
      const index = (hand[(offset + i) % hand.length] ?? 0) % this.#count;
      const queue = this.active.get(index);
      // no queue has less
      if (!queue) return new FlowQueue(index);
      if (queue.waitingWork === 0) return queue;
      if (!least || queue.waitingWork < least.waitingWork) least = queue;
    }
    return least ?? new FlowQueue(0);
  }

  enqueue(queue: FlowQueue<T>, request: T): void {
    this.#activate(queue);
    this.#change(queue, () => queue.add(request));
  }

  /** Removes a request that waits. */
  remove(queue: FlowQueue<T>, request: T): void {
    this.#change(queue, () => queue.remove(request));
    this.#deactivateIfIdle(queue);
  }

  /** Whether no request waits. */
  get areEmpty(): boolean {
    return this.#backlogged.size === 0;
  }

  /** The request that comes next. */
  next(): T | undefined {
    return this.#backlogged.minKey()?.waiting.first;
  }

  /** Begins a request that waits. */
  dispatch(queue: FlowQueue<T>, request: T): void {
    this.#change(queue, () => {
      queue.remove(request);
      this.#occupy(queue, request);
    });
  }

  /** Begins a request that need not wait, as none does. */
  begin(queue: FlowQueue<T>, request: T): void {
    this.#activate(queue);
    this.#occupy(queue, request);
  }

  /**
   * Ends the handling of a request; its seats remain occupied until `free`.
   * @param difference what it took more than was expected, in seats times seconds
   */
  end(queue: FlowQueue<T>, difference: number): void {
    queue.executing--;
    if (queue.waiting.length === 0) queue.nextDispatch += difference;
    else
      this.#change(queue, () => {
        queue.nextDispatch += difference;
      });
    this.#deactivateIfIdle(queue);
  }

  free(queue: FlowQueue<T>, seats: number): void {
    queue.seats -= seats;
    this.#forgetIfUnused(queue);
  }

  #occupy(queue: FlowQueue<T>, request: T): void {
    queue.executing++;
    queue.seats += request.seats;
    queue.nextDispatch += request.expectedWork;
    queue.served = ++this.#dispatched;
  }

  /** Changes a queue, and its place among those in which requests wait. */
  #change(queue: FlowQueue<T>, change: () => void): void {
    if (queue.waiting.length > 0) this.#backlogged.delete(queue);
    change();
    queue.catchUp();
    if (queue.waiting.length > 0) this.#backlogged.set(queue, undefined);
  }

  #activate(queue: FlowQueue<T>): void {
    if (queue.isBusy) return;
    this.#busy++;
    queue.nextDispatch = this.#time;
    this.active.set(queue.index, queue);
  }

  #deactivateIfIdle(queue: FlowQueue<T>): void {
    if (queue.isBusy) return;
    this.#busy--;
    this.#forgetIfUnused(queue);
  }

  #forgetIfUnused(queue: FlowQueue<T>): void {
    const isUnused = !queue.isBusy && queue.seats === 0;
    if (isUnused && this.active.size > KEPT_QUEUES) this.active.delete(queue.index);
  }
}
