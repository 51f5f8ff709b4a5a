import type { UserInfo } from '@ashlar/core';
import type { FlowRequest } from '../classification/flow-request.ts';
import type { FlowQueue, Queued } from '../queues/flow-queue.ts';
import type { Flow, FlowClass } from './flow-class.ts';
import { expectedWork, type FlowWork, seatsOf } from './flow-work.ts';

/** Whose seats a request gets. */
export interface TicketLevel {
  readonly name: string;
  /** Frees the seats of a request. */
  end(ticket: FlowTicket): void;
}

/** Which request came, and when. */
export interface Arrival {
  readonly flowClass: FlowClass;
  readonly level: TicketLevel;
  readonly flow: Flow;
  readonly user: UserInfo;
  readonly request: FlowRequest;
  readonly work: FlowWork;
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
}

/** A request with its seats, which `release` frees. */
export class FlowTicket implements Queued<FlowTicket> {
  readonly outcome = 'admitted';
  readonly flowClass: FlowClass;
  readonly level: TicketLevel;
  readonly flow: Flow;
  readonly user: UserInfo;
  readonly request: FlowRequest;
  readonly work: FlowWork;
  readonly seats: number;
  readonly expectedWork: number;
  /** When it came, and when it began, in milliseconds of the monotonic clock. */
  readonly at: number;
  begun: number | undefined;
  /** Virtual time of its level when it came, or was no longer held back. */
  arrived = 0;
  /** Absent where nothing waits, and while it is held back. */
  queue: FlowQueue<FlowTicket> | undefined;
  /** Ends its wait: it begins, or is rejected. */
  endWait: ((isRejected: boolean) => void) | undefined;
  previous: FlowTicket | undefined;
  next: FlowTicket | undefined;
  #isReleased = false;

  constructor({ flowClass, level, flow, user, request, work, at }: Arrival) {
    this.flowClass = flowClass;
    this.level = level;
    this.flow = flow;
    this.user = user;
    this.request = request;
    this.work = work;
    this.seats = seatsOf(work);
    this.expectedWork = expectedWork(work);
    this.at = at;
  }

  /** Frees its seats once its response is made; later calls have no effect. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.level.end(this);
  }
}
