/** What a request occupies. */
export interface FlowWork {
  /** Seats while it is handled; at least 1. */
  readonly seats: number;
  /** Seats after its response, for the events that it causes. Default none. */
  readonly finalSeats?: number;
  /** How long they are occupied, in milliseconds. */
  readonly finalMilliseconds?: number;
}

/** Seats that are occupied from its start to its end. */
export const seatsOf = ({ seats, finalSeats = 0 }: FlowWork): number => Math.max(seats, finalSeats);

/** How long a request is expected to take, in seconds. */
export const EXPECTED_SECONDS = 0.003;

/** Expected seats times seconds. */
export function expectedWork({ seats, finalSeats = 0, finalMilliseconds = 0 }: FlowWork): number {
  return seats * EXPECTED_SECONDS + (finalSeats * finalMilliseconds) / 1000;
}
