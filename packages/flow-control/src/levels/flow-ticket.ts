import type { UserInfo } from '@ashlar/core';
import type { FlowRequest } from '../classification/flow-request.ts';
import type { FlowQueue, Queued } from '../queues/fair-queues.ts';
import type { Flow, FlowClass } from './flow-class.ts';
import { expectedWork, type FlowWork, seatsOf } from './flow-work.ts';

/** Where and when a request came. */
export interface Arrival {
  readonly flowClass: FlowClass;
  readonly flow: Flow;
  readonly user: UserInfo;
  readonly request: FlowRequest;
  readonly work: FlowWork;
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
}

/** A request with its seats, which `release` frees. */
export class FlowTicket implements Queued {
  readonly outcome = 'admitted';
  readonly flowClass: FlowClass;
  readonly flow: Flow;
  readonly user: UserInfo;
  readonly request: FlowRequest;
  readonly seats: number;
  /** Virtual time of its level when it came. */
  arrived = 0;
  /** When it came, and when it began, in milliseconds of the monotonic clock. */
  readonly at: number;
  begun: number | undefined;
  /** Absent where nothing waits. */
  queue: FlowQueue<FlowTicket> | undefined;
  /** Called when its wait is over. */
  onStart: (() => void) | undefined;
  readonly work: number;
  readonly occupies: FlowWork;
  #isReleased = false;

  constructor({ flowClass, flow, user, request, work, at }: Arrival) {
    this.flowClass = flowClass;
    this.flow = flow;
    this.user = user;
    this.request = request;
    this.occupies = work;
    this.seats = seatsOf(work);
    this.work = expectedWork(work);
    this.at = at;
  }

  /** Frees its seats once its response is made; later calls have no effect. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.flowClass.level.end(this);
  }
}
