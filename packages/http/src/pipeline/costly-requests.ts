import { type Ambient, type Clock, pause, type UserInfo } from '@ashlar/core';
import type { RequestInfo } from '../request/request-info.ts';

/** Maximum duration of work that other callers do not notice, in milliseconds. */
const SHORT_MILLISECONDS = 2;
/** Maximum duration that one request counts. */
const LONGEST_MILLISECONDS = 50;
/**
 * From this average on requests are costly, in milliseconds. A process that has just begun, or collects garbage, takes much longer now and
 * then for requests that are cheap: those must not wait.
 */
const COSTLY_MILLISECONDS = 4;
/** Share of the newest request in the average. */
const NEWEST = 1 / 16;
/** How much of an average is forgotten in a second. */
const FORGOTTEN_PER_SECOND = 2;
/** Averages below this one are not remembered. */
const FORGOTTEN = 0.1;
/** Maximum number of averages; beyond it the oldest is forgotten. */
const MAXIMUM_COSTS = 1_000;

/** What is known of a request when work for it begins. */
interface KnownRequest {
  readonly user: UserInfo;
  readonly info: RequestInfo;
}

/** How long requests of one kind take on average, and when that was last changed. */
interface Cost {
  readonly milliseconds: number;
  readonly at: number;
}

/**
 * Measures the requests of each user, verb and resource. Those that take long on average wait for their turn, one by one, as slices of large
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
    const begun = this.#spent();
    this.#ambient.turns?.atEndOfTurn(() => {
      this.#count(request, this.#spent() - begun);
    });
  }

  /** Processor time where it is known: requests are not costly because other processes are. */
  #spent(): number {
    return this.#ambient.turns?.processorTime?.() ?? this.#clock.monotonic();
  }

  /** Short requests count only beside long ones of their kind. */
  #count(request: KnownRequest, milliseconds: number): void {
    if (milliseconds <= SHORT_MILLISECONDS && this.#costs.size === 0) return;
    const key = keyOf(request);
    const average = this.#average(key);
    if (milliseconds <= SHORT_MILLISECONDS && average === 0) return;
    // the newest is the last one
    this.#costs.delete(key);
    const next = average + (Math.min(milliseconds, LONGEST_MILLISECONDS) - average) * NEWEST;
    if (next < FORGOTTEN) return;
    this.#costs.set(key, { milliseconds: next, at: this.#clock.monotonic() });
    if (this.#costs.size > MAXIMUM_COSTS) this.#costs.delete(this.#costs.keys().next().value as string);
  }

  #isCostly(key: string): boolean {
    const average = this.#average(key);
    if (average === 0) this.#costs.delete(key);
    return average >= COSTLY_MILLISECONDS;
  }

  #average(key: string): number {
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
