import type { Clock, Timer } from '@ashlar/core';
import type { FlowTicket } from './flow-ticket.ts';
import type { RejectionReason } from './rejection-reason.ts';

/** How long a request may wait. */
export interface Patience {
  /** Milliseconds. */
  readonly longestWait: number;
  /** Aborted when its caller is gone. */
  readonly signal: AbortSignal;
}

/** The requests of a level that wait, each until it begins, it has waited too long, or its caller is gone. */
export class WaitingTickets {
  readonly #clock: Clock;
  readonly #giveUp: (ticket: FlowTicket) => RejectionReason;
  readonly #tickets = new Set<FlowTicket>();

  /** @param giveUp removes a request from where it waits, and returns why it is rejected */
  constructor(clock: Clock, giveUp: (ticket: FlowTicket) => RejectionReason) {
    this.#clock = clock;
    this.#giveUp = giveUp;
  }

  /** @returns why a request is rejected; undefined once `endWait(false)` has said that it begins */
  wait(ticket: FlowTicket, { longestWait, signal }: Patience): Promise<RejectionReason | undefined> {
    this.#tickets.add(ticket);
    return new Promise((resolve) => {
      const tooLate = (): void => ticket.endWait?.(true);
      const timer: Timer = this.#clock.setTimer(longestWait, tooLate);
      timer.hold?.();
      ticket.endWait = (isRejected) => {
        timer.clear();
        signal.removeEventListener('abort', tooLate);
        ticket.endWait = undefined;
        this.#tickets.delete(ticket);
        resolve(isRejected ? this.#giveUp(ticket) : undefined);
      };
      if (signal.aborted) tooLate();
      else signal.addEventListener('abort', tooLate, { once: true });
    });
  }

  /** Rejects all of them. */
  close(): void {
    for (const ticket of [...this.#tickets]) ticket.endWait?.(true);
  }
}
