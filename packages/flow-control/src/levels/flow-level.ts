import type { Clock, MaybePromise, Timer } from '@ashlar/core';
import type { ConfiguredLevel } from '../flow-objects.ts';
import { FairQueues } from '../queues/fair-queues.ts';
import { RetryAfter } from '../seats/retry-after.ts';
import type { SeatLimits } from '../seats/seat-limits.ts';
import { type SeatUsage, SeatUsageMeter } from '../seats/seat-usage.ts';
import { type Flow, leaveFlow, type RejectionReason } from './flow-class.ts';
import type { FlowTicket } from './flow-ticket.ts';
import { EXPECTED_SECONDS } from './flow-work.ts';

/** How requests of a level wait. */
interface Waiting {
  readonly queues: number;
  readonly handSize: number;
  /** Maximum number of requests that wait in a queue. */
  readonly length: number;
}

/** How long a request may wait. */
export interface Patience {
  /** Milliseconds. */
  readonly longestWait: number;
  /** Aborted when its caller is gone. */
  readonly signal: AbortSignal;
}

/** Small levels are not divided: one flow may use all their seats. */
const MINIMUM_PER_FLOW = 20;
const NO_USAGE: SeatUsage = { highest: 0, average: 0, deviation: 0, smoothed: 0 };
const NO_LIMITS: SeatLimits = { nominal: 0, lower: 0, upper: 0 };

/** The seats of a priority level, and the requests that have or await them. */
export class FlowLevel {
  readonly name: string;
  limits: SeatLimits = NO_LIMITS;
  /** Seats that it has now, with those borrowed and without those lent. */
  current = 0;
  isExempt = false;
  /** Whether it is gone, and remains until its last request is answered. */
  isQuiescing = false;
  /** Undefined: what has no seat is rejected. */
  waiting: Waiting | undefined;
  executing = 0;
  seats = 0;
  waitingRequests = 0;
  waitingSeats = 0;
  readonly totals: Record<'dispatched' | 'rejected' | 'timedOut' | 'cancelled', number> = {
    ...{ dispatched: 0, rejected: 0, timedOut: 0, cancelled: 0 },
  };
  readonly retryAfter: RetryAfter = new RetryAfter();
  readonly usage: SeatUsageMeter;
  /** What it could use in the last period. */
  demand: SeatUsage = NO_USAGE;
  readonly queues: FairQueues<FlowTicket>;
  /** Requests that have their seats. */
  readonly running: Set<FlowTicket> = new Set();
  readonly #clock: Clock;

  constructor(name: string, clock: Clock) {
    this.name = name;
    this.#clock = clock;
    this.usage = new SeatUsageMeter(clock.monotonic());
    this.queues = new FairQueues(1, clock.monotonic());
  }

  get isIdle(): boolean {
    return this.executing === 0 && this.waitingRequests === 0;
  }

  configure({ spec }: ConfiguredLevel, limits: SeatLimits): void {
    this.isExempt = spec?.type === 'Exempt';
    this.limits = limits;
    const { queuing } = spec?.limited?.limitResponse ?? {};
    const { queues = 64, handSize = 8, queueLengthLimit: length = 50 } = queuing ?? {};
    this.waiting = queuing && { queues, handSize, length };
    if (queuing) this.queues.resize(queues);
  }

  /** Changes how many seats it has now, and begins what they allow. */
  setCurrent(seats: number): void {
    this.#advance(this.#clock.monotonic());
    this.current = seats;
    this.#beginWaiting();
  }

  /**
   * Gives a request its seats, now or when they are free.
   * @returns why it is rejected; undefined once it may begin
   */
  begin(ticket: FlowTicket, patience: Patience): MaybePromise<RejectionReason | undefined> {
    this.#advance(ticket.at);
    ticket.arrived = this.queues.time;
    if (!this.waiting || this.isExempt) return this.#beginOrReject(ticket);
    const queue = this.queues.select(ticket.flow.hand);
    ticket.queue = queue;
    if (this.waitingRequests === 0 && this.#hasSeats(ticket)) {
      this.#start(ticket);
      return undefined;
    }
    const isFull = queue.waiting.size >= this.waiting.length;
    if (isFull && this.seats >= this.current) return this.#reject(ticket, 'queue-full');
    this.#enqueue(ticket);
    this.#beginWaiting();
    return ticket.begun === undefined ? this.#wait(ticket, patience) : undefined;
  }

  /** Begins a new period. @returns what it could use in the last one */
  nextPeriod(now: number): SeatUsage {
    this.demand = this.usage.nextPeriod(now);
    return this.demand;
  }

  /** Frees the seats of a request, those for its events a little later. */
  end(ticket: FlowTicket): void {
    const now = this.#clock.monotonic();
    this.#advance(now);
    this.running.delete(ticket);
    this.executing--;
    ticket.flowClass.counts.executing--;
    const took = (now - (ticket.begun ?? now)) / 1000;
    ticket.flowClass.counts.recorder?.executed(ticket.request.verb, took);
    const { seats, finalMilliseconds = 0 } = ticket.occupies;
    if (ticket.queue) this.queues.end(ticket.queue, seats * (took - EXPECTED_SECONDS));
    if (finalMilliseconds > 0) this.#clock.setTimer(finalMilliseconds, () => this.#freeLater(ticket));
    else this.#free(ticket, now);
  }

  #freeLater(ticket: FlowTicket): void {
    const now = this.#clock.monotonic();
    this.#advance(now);
    this.#free(ticket, now);
  }

  #free(ticket: FlowTicket, now: number): void {
    const { counts } = ticket.flowClass;
    this.seats -= ticket.seats;
    counts.executingSeats -= ticket.seats;
    ticket.flow.seats -= ticket.seats;
    if (ticket.queue) this.queues.free(ticket.queue, ticket.seats);
    leaveFlow(ticket);
    this.usage.set(this.seats + this.waitingSeats, now);
    this.#beginWaiting();
  }

  #beginOrReject(ticket: FlowTicket): RejectionReason | undefined {
    if (!this.isExempt && !this.#hasSeats(ticket)) return this.#reject(ticket, 'concurrency-limit');
    this.#start(ticket);
    return undefined;
  }

  /** A request that is wider than the level runs alone. */
  #hasSeats({ seats, flow }: FlowTicket): boolean {
    if (seats > this.current) return this.executing === 0;
    return this.seats + seats <= this.current && this.#isWithinShare(flow, seats);
  }

  /** No flow occupies all of a large level: requests that take long leave seats for those of others, whenever they come. */
  #isWithinShare(flow: Flow, seats: number): boolean {
    return flow.seats === 0 || flow.seats + seats <= Math.max(MINIMUM_PER_FLOW, Math.ceil(this.current / 2));
  }

  #enqueue(ticket: FlowTicket): void {
    const { counts } = ticket.flowClass;
    if (ticket.queue) this.queues.enqueue(ticket.queue, ticket);
    this.waitingRequests++;
    this.waitingSeats += ticket.seats;
    counts.waiting++;
    counts.waitingSeats += ticket.seats;
    this.usage.set(this.seats + this.waitingSeats, ticket.at);
  }

  /** Begins waiting requests in their order, until the first one that finds no seats. */
  #beginWaiting(): void {
    while (this.waitingRequests > 0 && this.seats < this.current) {
      const next = this.queues.next(({ flow, seats }) => this.#isWithinShare(flow, seats));
      if (!next || !this.#hasSeats(next.request)) return;
      this.#leaveQueue(next.request);
      this.#start(next.request);
      next.request.onStart?.();
    }
  }

  #leaveQueue({ flowClass: { counts }, seats }: FlowTicket): void {
    this.waitingRequests--;
    this.waitingSeats -= seats;
    counts.waiting--;
    counts.waitingSeats -= seats;
  }

  #start(ticket: FlowTicket): void {
    const { counts } = ticket.flowClass;
    const now = ticket.onStart ? this.#clock.monotonic() : ticket.at;
    ticket.begun = now;
    if (ticket.queue) this.queues.begin(ticket.queue, ticket);
    this.running.add(ticket);
    this.executing++;
    this.seats += ticket.seats;
    ticket.flow.seats += ticket.seats;
    counts.executing++;
    counts.executingSeats += ticket.seats;
    counts.isUsed = true;
    counts.recorder?.dispatched((now - ticket.at) / 1000);
    this.totals.dispatched++;
    this.usage.set(this.seats + this.waitingSeats, now);
  }

  #wait(ticket: FlowTicket, { longestWait, signal }: Patience): Promise<RejectionReason | undefined> {
    return new Promise((resolve) => {
      const end = (reason?: RejectionReason): void => {
        timer.clear();
        signal.removeEventListener('abort', cancelled);
        resolve(reason && this.#giveUp(ticket, reason));
      };
      const cancelled = (): void => end('cancelled');
      const timer: Timer = this.#clock.setTimer(longestWait, () => end('time-out'));
      timer.hold?.();
      ticket.onStart = () => end();
      if (signal.aborted) cancelled();
      else signal.addEventListener('abort', cancelled, { once: true });
    });
  }

  #giveUp(ticket: FlowTicket, reason: RejectionReason): RejectionReason {
    const now = this.#clock.monotonic();
    this.#advance(now);
    if (ticket.queue) this.queues.remove(ticket.queue, ticket);
    this.#leaveQueue(ticket);
    this.usage.set(this.seats + this.waitingSeats, now);
    this.totals.cancelled++;
    this.#reject(ticket, reason);
    // what stands behind it may need fewer seats
    this.#beginWaiting();
    return reason;
  }

  #reject(ticket: FlowTicket, reason: RejectionReason): RejectionReason {
    const { counts } = ticket.flowClass;
    this.totals.rejected++;
    counts.isUsed = true;
    counts.recorder?.rejected(reason, (this.#clock.monotonic() - ticket.at) / 1000);
    this.retryAfter.reject(this.#clock.now());
    leaveFlow(ticket);
    return reason;
  }

  #advance(now: number): void {
    this.queues.advance(now, Math.min(this.seats + this.waitingSeats, this.current));
  }
}
