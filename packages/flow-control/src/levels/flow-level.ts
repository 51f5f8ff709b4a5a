import type { Clock, MaybePromise } from '@ashlar/core';
import type { ConfiguredLevel } from '../flow-objects.ts';
import { FairQueues } from '../queues/fair-queues.ts';
import { RetryAfter } from '../seats/retry-after.ts';
import type { SeatLimits } from '../seats/seat-limits.ts';
import { type SeatUsage, SeatUsageMeter } from '../seats/seat-usage.ts';
import type { FlowTicket } from './flow-ticket.ts';
import { EXPECTED_SECONDS } from './flow-work.ts';
import { HeldBack } from './held-back.ts';
import type { RejectionReason } from './rejection-reason.ts';
import { SeatCounts } from './seat-counts.ts';
import { type Patience, WaitingTickets } from './waiting-tickets.ts';

/** How requests of a level wait. */
interface Waiting {
  readonly queues: number;
  readonly handSize: number;
  /** Maximum number of requests that wait in a queue. */
  readonly length: number;
}

/** From this number of seats on a level is divided: one flow claims at most half of them. */
const LARGE_LEVEL = 40;
const NO_LIMITS: SeatLimits = { nominal: 0, lower: 0, upper: 0 };
const NO_USAGE: SeatUsage = { highest: 0, average: 0, deviation: 0, smoothed: 0 };

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
  readonly counts: SeatCounts = new SeatCounts();
  readonly retryAfter: RetryAfter = new RetryAfter();
  /** What it could use in the last period. */
  demand: SeatUsage = NO_USAGE;
  readonly queues: FairQueues<FlowTicket>;
  readonly heldBack: HeldBack = new HeldBack();
  readonly #waitingTickets: WaitingTickets;
  /** Measures what it could use. */
  readonly usage: SeatUsageMeter;
  readonly #clock: Clock;

  constructor(name: string, clock: Clock) {
    this.name = name;
    this.#clock = clock;
    this.usage = new SeatUsageMeter(clock.monotonic());
    this.queues = new FairQueues(1, clock.monotonic());
    this.#waitingTickets = new WaitingTickets(clock, (ticket) => this.#giveUp(ticket));
  }

  get isIdle(): boolean {
    return this.counts.running.length === 0 && this.counts.waiting === 0;
  }

  configure({ spec }: ConfiguredLevel, limits: SeatLimits): void {
    this.isExempt = spec?.type === 'Exempt';
    this.limits = limits;
    const { queuing } = spec?.limited?.limitResponse ?? {};
    const { queues = 64, handSize = 8, queueLengthLimit: length = 50 } = queuing ?? {};
    this.waiting = queuing && { queues, handSize, length };
    if (queuing) this.queues.resize(queues);
    this.#beginWaiting();
  }

  /** Changes how many seats it has now, and begins what they allow. */
  setCurrent(seats: number): void {
    this.#advance(this.#clock.monotonic());
    this.current = seats;
    this.#beginWaiting();
  }

  /** Begins a new period. @returns what it could use in the last one */
  nextPeriod(now: number): SeatUsage {
    this.demand = this.usage.nextPeriod(now);
    return this.demand;
  }

  /**
   * Gives a request its seats, now or when they are free.
   * @returns why it is rejected; undefined once it may begin
   */
  begin(ticket: FlowTicket, patience: Patience): MaybePromise<RejectionReason | undefined> {
    this.#advance(ticket.at);
    if (this.isExempt || !this.waiting) return this.#beginOrReject(ticket);
    const isWithinShare = this.#isWithinShare(ticket);
    if (this.queues.areEmpty && isWithinShare && this.#hasSeats(ticket)) {
      ticket.queue = this.queues.select(ticket.flow.hand);
      ticket.flow.claimed += ticket.seats;
      this.queues.begin(ticket.queue, ticket);
      this.#start(ticket, ticket.at);
      return undefined;
    }
    if (!(isWithinShare ? this.#enqueue(ticket) : this.#holdBack(ticket)))
      return this.#reject(ticket, 'queue-full');
    this.counts.enter(ticket);
    this.#measure(ticket.at);
    const waiting = this.#waitingTickets.wait(ticket, patience);
    this.#beginWaiting();
    return waiting;
  }

  /** Frees the seats of a request, those for its events a little later. */
  end(ticket: FlowTicket): void {
    const now = this.#clock.monotonic();
    this.#advance(now);
    const seconds = (now - (ticket.begun ?? now)) / 1000;
    this.counts.end(ticket, seconds);
    const { seats, finalMilliseconds = 0 } = ticket.work;
    if (ticket.queue) this.queues.end(ticket.queue, seats * (seconds - EXPECTED_SECONDS));
    if (finalMilliseconds > 0) this.#clock.setTimer(finalMilliseconds, () => this.#freeLater(ticket));
    else this.#free(ticket, now);
  }

  /** Rejects what waits, because nobody will give it seats any more. */
  close(): void {
    this.#waitingTickets.close();
  }

  #freeLater(ticket: FlowTicket): void {
    const now = this.#clock.monotonic();
    this.#advance(now);
    this.#free(ticket, now);
  }

  #free(ticket: FlowTicket, now: number): void {
    const { flow, flowClass, queue } = ticket;
    this.counts.free(ticket);
    if (queue) {
      this.queues.free(queue, ticket.seats);
      this.#unclaim(ticket);
    }
    flowClass.flows.leave(flow);
    this.#measure(now);
    this.#beginWaiting();
  }

  #beginOrReject(ticket: FlowTicket): RejectionReason | undefined {
    if (!this.isExempt && !this.#hasSeats(ticket)) return this.#reject(ticket, 'concurrency-limit');
    this.#start(ticket, ticket.at);
    return undefined;
  }

  /** A request that is wider than the level runs alone. */
  #hasSeats({ seats }: FlowTicket): boolean {
    if (this.isExempt) return true;
    return seats > this.current
      ? this.counts.running.length === 0
      : this.counts.seats + seats <= this.current;
  }

  /** No flow occupies all of a large level: requests that take long leave seats for those of others, whenever they come. */
  #isWithinShare({ flow, seats }: FlowTicket): boolean {
    if (flow.claimed === 0 || this.current < LARGE_LEVEL) return true;
    return flow.claimed + seats <= Math.ceil(this.current / 2);
  }

  /** @returns false if its queue is full */
  #enqueue(ticket: FlowTicket): boolean {
    const queue = this.queues.select(ticket.flow.hand);
    if (queue.waiting.length >= (this.waiting?.length ?? 0)) return false;
    ticket.queue = queue;
    ticket.arrived = this.queues.time;
    ticket.flow.claimed += ticket.seats;
    this.queues.enqueue(queue, ticket);
    return true;
  }

  /** @returns false if its flow has as many waiting requests as its queues could hold */
  #holdBack(ticket: FlowTicket): boolean {
    const { length, handSize } = this.waiting ?? { length: 0, handSize: 0 };
    return this.heldBack.add(ticket, length * handSize);
  }

  /** Enqueues what the share of its flow allows again; what finds its queue full is held back once more. */
  #unclaim({ flow, seats }: FlowTicket): void {
    flow.claimed -= seats;
    let isFull = false;
    const mayTake = (next: FlowTicket): boolean => !isFull && this.#isWithinShare(next);
    this.heldBack.release(flow, mayTake, (next) => {
      isFull = !this.#enqueue(next);
      if (isFull) this.heldBack.add(next, Number.POSITIVE_INFINITY);
    });
  }

  /** Begins waiting requests in their order, until the first one that finds no seats. */
  #beginWaiting(): void {
    for (let next = this.queues.next(); next && this.#hasSeats(next); next = this.queues.next()) {
      if (next.queue) this.queues.dispatch(next.queue, next);
      this.counts.leave(next);
      this.#start(next, this.#clock.monotonic());
      next.endWait?.(false);
    }
  }

  #start(ticket: FlowTicket, now: number): void {
    this.counts.start(ticket, now);
    this.#measure(now);
  }

  #giveUp(ticket: FlowTicket): RejectionReason {
    const now = this.#clock.monotonic();
    this.#advance(now);
    this.counts.leave(ticket);
    if (ticket.queue) {
      this.queues.remove(ticket.queue, ticket);
      this.#unclaim(ticket);
    } else this.heldBack.remove(ticket);
    this.counts.totals.cancelled++;
    this.#measure(now);
    const reason = this.#reject(ticket, 'time-out');
    // what stands behind it may need fewer seats
    this.#beginWaiting();
    return reason;
  }

  #reject({ at, flow, flowClass: { counts, flows } }: FlowTicket, reason: RejectionReason): RejectionReason {
    this.counts.totals.rejected++;
    counts.isUsed = true;
    counts.recorder?.rejected(reason, (this.#clock.monotonic() - at) / 1000);
    this.retryAfter.reject(this.#clock.now());
    flows.leave(flow);
    return reason;
  }

  #measure(now: number): void {
    this.usage.set(this.counts.demand, now);
  }

  #advance(now: number): void {
    this.queues.advance(now, Math.min(this.counts.demand, this.current));
  }
}
