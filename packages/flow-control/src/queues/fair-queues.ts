/** A request that waits. */
export interface Queued {
  /** Expected seats times seconds. */
  readonly work: number;
  readonly seats: number;
  /** Virtual time of its arrival. */
  readonly arrived: number;
}

/** Requests of some flows, in order of arrival. */
export interface FlowQueue<T extends Queued> {
  readonly index: number;
  /** Oldest first. */
  readonly waiting: Set<T>;
  waitingSeats: number;
  waitingWork: number;
  /** Requests that are being handled. */
  executing: number;
  /** Seats of these, and of what they leave behind. */
  seats: number;
  /** Virtual time at which its next request would begin if all queues shared the seats equally. */
  nextDispatch: number;
}

/**
 * Fair queuing (A. Demers, S. Keshav, S. Shenker, 1989) for requests that take several seats for a time not known before: the queue comes
 * first whose oldest request would end first if all queues shared the seats equally. Virtual time is what an active queue has got by then,
 * in seats times seconds. Only queues with requests exist.
 */
export class FairQueues<T extends Queued> {
  /** Queues with requests that wait or are handled, or with seats that are still occupied. */
  readonly active: Map<number, FlowQueue<T>> = new Map();
  readonly #backlogged = new Set<FlowQueue<T>>();
  #count: number;
  #busy = 0;
  #time = 0;
  #since: number;
  #last = 0;
  #enqueued = 0;

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
    const offset = this.#enqueued++;
    let least: FlowQueue<T> | undefined;
    for (let i = 0; i < hand.length; i++) {
      const index = (hand[(offset + i) % hand.length] ?? 0) % this.#count;
      const queue = this.active.get(index);
      if (!queue) return least?.waitingWork === 0 ? least : newQueue(index);
      if (!least || queue.waitingWork < least.waitingWork) least = queue;
    }
    return least ?? newQueue(0);
  }

  enqueue(queue: FlowQueue<T>, request: T): void {
    this.#activate(queue);
    queue.waiting.add(request);
    queue.waitingSeats += request.seats;
    queue.waitingWork += request.work;
    this.#backlogged.add(queue);
    catchUp(queue);
  }

  /** Removes a request that waits; `false` if it does not. */
  remove(queue: FlowQueue<T>, request: T): boolean {
    if (!queue.waiting.delete(request)) return false;
    queue.waitingSeats -= request.seats;
    queue.waitingWork -= request.work;
    if (queue.waiting.size === 0) this.#backlogged.delete(queue);
    this.#deactivateIfIdle(queue);
    catchUp(queue);
    return true;
  }

  /**
   * Returns the queue whose oldest request comes next, with that request.
   * @param mayRun whether the flow of a queue's oldest request may have more seats
   */
  next(mayRun: (request: T) => boolean): { readonly queue: FlowQueue<T>; readonly request: T } | undefined {
    let best: { queue: FlowQueue<T>; request: T; end: number } | undefined;
    for (const queue of this.#backlogged) {
      const [request] = queue.waiting;
      if (!request || !mayRun(request)) continue;
      const end = queue.nextDispatch + request.work;
      if (!best || end < best.end || (end === best.end && this.#isSooner(queue, best.queue)))
        best = { queue, request, end };
    }
    return best;
  }

  /** Begins a request that does not wait, or no longer. */
  begin(queue: FlowQueue<T>, request: T): void {
    this.#activate(queue);
    this.#last = queue.index;
    queue.executing++;
    queue.seats += request.seats;
    queue.nextDispatch += request.work;
    if (queue.waiting.delete(request)) {
      queue.waitingSeats -= request.seats;
      queue.waitingWork -= request.work;
      if (queue.waiting.size === 0) this.#backlogged.delete(queue);
    }
    catchUp(queue);
  }

  /**
   * Ends the handling of a request; its seats remain occupied until `free`.
   * @param difference what it took more than was expected, in seats times seconds
   */
  end(queue: FlowQueue<T>, difference: number): void {
    queue.executing--;
    queue.nextDispatch += difference;
    catchUp(queue);
    this.#deactivateIfIdle(queue);
  }

  free(queue: FlowQueue<T>, seats: number): void {
    queue.seats -= seats;
    this.#forgetIfUnused(queue);
  }

  #activate(queue: FlowQueue<T>): void {
    if (isBusy(queue)) return;
    this.#busy++;
    queue.nextDispatch = this.#time;
    this.active.set(queue.index, queue);
  }

  #deactivateIfIdle(queue: FlowQueue<T>): void {
    if (isBusy(queue)) return;
    this.#busy--;
    this.#forgetIfUnused(queue);
  }

  #forgetIfUnused(queue: FlowQueue<T>): void {
    if (!isBusy(queue) && queue.seats === 0) this.active.delete(queue.index);
  }

  /** Of queues that would end at the same time, the next one after the last comes first. */
  #isSooner(a: FlowQueue<T>, b: FlowQueue<T>): boolean {
    const distance = ({ index }: FlowQueue<T>): number =>
      index > this.#last ? index - this.#last : index - this.#last + this.#count;
    return distance(a) < distance(b);
  }
}

function newQueue<T extends Queued>(index: number): FlowQueue<T> {
  return {
    index,
    waiting: new Set(),
    waitingSeats: 0,
    waitingWork: 0,
    executing: 0,
    seats: 0,
    nextDispatch: 0,
  };
}

const isBusy = <T extends Queued>({ waiting, executing }: FlowQueue<T>): boolean =>
  waiting.size > 0 || executing > 0;

/** A queue that did not use its part saves nothing up: its next request begins after its arrival, in virtual time too. */
function catchUp<T extends Queued>(queue: FlowQueue<T>): void {
  const [oldest] = queue.waiting;
  if (oldest && queue.nextDispatch < oldest.arrived) queue.nextDispatch = oldest.arrived;
}
