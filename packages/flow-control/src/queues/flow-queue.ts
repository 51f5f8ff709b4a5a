import { type Listed, RequestList } from './request-list.ts';

/** A request of a queue. */
export interface Queued<T> extends Listed<T> {
  /** Expected seats times seconds. */
  readonly expectedWork: number;
  readonly seats: number;
  /** Virtual time of its arrival. */
  readonly arrived: number;
}

/** Requests of some flows. */
export class FlowQueue<T extends Queued<T>> {
  readonly index: number;
  readonly waiting: RequestList<T> = new RequestList();
  waitingSeats = 0;
  waitingWork = 0;
  /** Requests that are being handled. */
  executing = 0;
  /** Seats of these, and of what they leave behind. */
  seats = 0;
  /** Virtual time at which its next request would begin if all queues shared the seats equally. */
  nextDispatch = 0;
  /** The same at which that request would end; of a queue in which none waits, what it was. */
  end = 0;
  /** Which dispatch was its last. */
  served = 0;

  constructor(index: number) {
    this.index = index;
  }

  get isBusy(): boolean {
    return this.waiting.length > 0 || this.executing > 0;
  }

  add(request: T): void {
    this.waiting.add(request);
    this.waitingSeats += request.seats;
    this.waitingWork += request.expectedWork;
  }

  remove(request: T): void {
    this.waiting.remove(request);
    this.waitingSeats -= request.seats;
    this.waitingWork -= request.expectedWork;
  }

  /** A queue that did not use its part saves nothing up: its next request begins after its arrival, in virtual time too. */
  catchUp(): void {
    const oldest = this.waiting.first;
    if (!oldest) return;
    this.nextDispatch = Math.max(this.nextDispatch, oldest.arrived);
    this.end = this.nextDispatch + oldest.expectedWork;
  }
}

/** The queue that would end first comes first; of several the one that was served longest ago. */
export function byEnd<T extends Queued<T>>(a: FlowQueue<T>, b: FlowQueue<T>): number {
  return a.end - b.end || a.served - b.served || a.index - b.index;
}
