import { RequestList } from '../queues/request-list.ts';
import type { Flow } from './flow-class.ts';
import type { FlowTicket } from './flow-ticket.ts';

/** Requests that wait beside the queues of a level, because their flow has claimed all that it may. */
export class HeldBack {
  readonly #lists = new Map<Flow, RequestList<FlowTicket>>();

  /** In order of arrival within each flow. */
  get all(): readonly FlowTicket[] {
    return [...this.#lists.values()].flatMap((list) => [...list]);
  }

  /**
   * Holds a request back.
   * @param limit how many requests of a flow may be held back
   * @returns false if there are as many
   */
  add(ticket: FlowTicket, limit: number): boolean {
    const list = this.#lists.get(ticket.flow) ?? new RequestList<FlowTicket>();
    if (list.length >= limit) return false;
    list.add(ticket);
    this.#lists.set(ticket.flow, list);
    return true;
  }

  remove(ticket: FlowTicket): void {
    const list = this.#lists.get(ticket.flow);
    list?.remove(ticket);
    if (list?.length === 0) this.#lists.delete(ticket.flow);
  }

  /**
   * Hands over requests of a flow, oldest first, while they are taken.
   * @param mayTake whether a request can be taken; then it is in this list no more
   */
  release(flow: Flow, mayTake: (ticket: FlowTicket) => boolean, take: (ticket: FlowTicket) => void): void {
    const list = this.#lists.get(flow);
    for (let next = list?.first; next && mayTake(next); next = list?.first) {
      this.remove(next);
      take(next);
    }
  }
}
