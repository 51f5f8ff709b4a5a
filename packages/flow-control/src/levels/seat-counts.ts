import { RequestList } from '../queues/request-list.ts';
import type { FlowTicket } from './flow-ticket.ts';

/** Counts the requests and seats of a level, in all and by class. */
export class SeatCounts {
  /** Requests that have their seats. */
  readonly running: RequestList<FlowTicket> = new RequestList();
  /** Seats that are occupied, also by the events of requests that are answered. */
  seats = 0;
  waiting = 0;
  waitingSeats = 0;
  readonly totals: Record<'dispatched' | 'rejected' | 'cancelled', number> = {
    ...{ dispatched: 0, rejected: 0, cancelled: 0 },
  };

  /** Seats that could be used now. */
  get demand(): number {
    return this.seats + this.waitingSeats;
  }

  enter({ seats, flowClass: { counts } }: FlowTicket): void {
    this.waiting++;
    this.waitingSeats += seats;
    counts.waiting++;
    counts.waitingSeats += seats;
  }

  leave({ seats, flowClass: { counts } }: FlowTicket): void {
    this.waiting--;
    this.waitingSeats -= seats;
    counts.waiting--;
    counts.waitingSeats -= seats;
  }

  /** @param now milliseconds of the monotonic clock */
  start(ticket: FlowTicket, now: number): void {
    const { seats, flowClass, at } = ticket;
    const { counts } = flowClass;
    ticket.begun = now;
    this.running.add(ticket);
    this.seats += seats;
    counts.executing++;
    counts.executingSeats += seats;
    counts.isUsed = true;
    counts.recorder?.dispatched((now - at) / 1000);
    this.totals.dispatched++;
  }

  /** @param seconds that the request had its seats */
  end(ticket: FlowTicket, seconds: number): void {
    const { counts } = ticket.flowClass;
    this.running.remove(ticket);
    counts.executing--;
    counts.recorder?.executed(ticket.request.verb, seconds);
  }

  free({ seats, flowClass: { counts } }: FlowTicket): void {
    this.seats -= seats;
    counts.executingSeats -= seats;
  }
}
