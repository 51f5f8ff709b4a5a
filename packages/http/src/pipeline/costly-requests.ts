import { type Ambient, type Clock, pause, type UserInfo } from '@ashlar/core';
import type { RequestInfo } from '../request/request-info.ts';

/** Work that takes longer than this in one piece is noticed by other callers, in milliseconds. */
const SHORT_MILLISECONDS = 2;
/** Maximum cost of one piece of work: a single one, such as a garbage collection that others caused, makes no request costly. */
const MAXIMUM_CHARGE = 15;
/** From this cost on requests are costly. */
const COSTLY_MILLISECONDS = 20;
/** Maximum cost that is remembered. */
const MAXIMUM_COST = 1_000;
/** How much of a cost is forgotten in a second. */
const FORGOTTEN_PER_SECOND = 50;
/** Maximum number of costs; beyond it the oldest is forgotten. */
const MAXIMUM_COSTS = 1_000;

/** What is known of a request when work for it begins. */
interface KnownRequest {
  readonly user: UserInfo;
  readonly info: RequestInfo;
}

/** What requests of one kind have cost, and when that was last changed. */
interface Cost {
  milliseconds: number;
  at: number;
}

/**
 * Measures the requests of each user, verb and resource. Those that took long lately wait for their turn, one by one, as slices of large
 * requests do: a crowd of small requests, each of which takes long, would otherwise leave no time for others.
 */
export class CostlyRequests {
  readonly #ambient: Ambient;
  readonly #clock: Clock;
  readonly #costs = new Map<string, Cost>();

  constructor(ambient: Ambient) {
    this.#ambient = ambient;
    this.#clock = ambient.clock;
  }

  /**
   * Begins work for a request, which is measured until the end of the turn of the event loop.
   * @returns a promise that the work must wait for if such requests are costly
   */
  begin(request: KnownRequest): Promise<void> | undefined {
    if (this.#costs.size > 0 && this.#isCostly(keyOf(request))) return this.#beginDeferred(request);
    this.#measure(request);
    return undefined;
  }

  async #beginDeferred(request: KnownRequest): Promise<void> {
    await pause(this.#ambient);
    this.#measure(request);
  }

  #measure(request: KnownRequest): void {
    const begun = this.#clock.monotonic();
    this.#ambient.turns?.atEndOfTurn(() => {
      const milliseconds = this.#clock.monotonic() - begun;
      if (milliseconds > SHORT_MILLISECONDS) this.#charge(keyOf(request), milliseconds);
    });
  }

  #charge(key: string, milliseconds: number): void {
    const total = this.#current(key) + Math.min(milliseconds, MAXIMUM_CHARGE);
    // the newest is the last one
    this.#costs.delete(key);
    this.#costs.set(key, { milliseconds: Math.min(total, MAXIMUM_COST), at: this.#clock.monotonic() });
    if (this.#costs.size > MAXIMUM_COSTS) this.#costs.delete(this.#costs.keys().next().value as string);
  }

  #isCostly(key: string): boolean {
    const current = this.#current(key);
    if (current === 0) this.#costs.delete(key);
    return current >= COSTLY_MILLISECONDS;
  }

  #current(key: string): number {
    const cost = this.#costs.get(key);
    if (!cost) return 0;
    const forgotten = ((this.#clock.monotonic() - cost.at) * FORGOTTEN_PER_SECOND) / 1000;
    return Math.max(0, cost.milliseconds - forgotten);
  }
}

/** Maximum length of a key: names that callers choose are as long as they like. */
const MAXIMUM_KEY = 500;

function keyOf({ user, info: { verb, apiGroup, resource, subresource } }: KnownRequest): string {
  return `${verb} ${apiGroup}/${resource}/${subresource} ${user.name}`.slice(0, MAXIMUM_KEY);
}
