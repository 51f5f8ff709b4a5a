import { type Ambient, pause, type UserInfo } from '@ashlar/core';
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
/** Below this average short requests are not counted. */
const FORGOTTEN = 0.5;
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
  readonly #costs = new Map<string, Cost>();

  constructor(ambient: Ambient) {
    this.#ambient = ambient;
  }

  /**
   * Begins work for a request, which is measured until the end of the turn of the event loop.
   * @returns a promise that the work must wait for if such requests are costly
   */
  begin(request: KnownRequest): Promise<void> | undefined {
    const average = this.#costs.size === 0 ? 0 : this.#average(keyOf(request));
    if (average >= COSTLY_MILLISECONDS) return this.#beginLater(request);
    this.#measure(request, average);
    return undefined;
  }

  async #beginLater(request: KnownRequest): Promise<void> {
    await pause(this.#ambient);
    this.#measure(request, COSTLY_MILLISECONDS);
  }

  /** Where requests take long on average, their processor time counts: others may have had the processor. Reading it is not cheap. */
  #measure(request: KnownRequest, average: number): void {
    const { clock, turns } = this.#ambient;
    const begun = clock.monotonic();
    const spent = average > SHORT_MILLISECONDS ? turns?.processorTime?.() : undefined;
    turns?.atEndOfTurn(() => {
      const elapsed = clock.monotonic() - begun;
      // other threads use processor time, too
      const own = spent === undefined ? elapsed : (turns.processorTime?.() ?? elapsed) - spent;
      const milliseconds = Math.min(elapsed, own);
      if (milliseconds > SHORT_MILLISECONDS || this.#costs.size > 0) this.#count(request, milliseconds);
    });
  }

  /** Short requests count only beside long ones of their kind. */
  #count(request: KnownRequest, milliseconds: number): void {
    const key = keyOf(request);
    const average = this.#average(key);
    // the newest is the last one
    this.#costs.delete(key);
    if (milliseconds <= SHORT_MILLISECONDS && average < FORGOTTEN) return;
    const next = average + (Math.min(milliseconds, LONGEST_MILLISECONDS) - average) * NEWEST;
    this.#costs.set(key, { milliseconds: next, at: this.#ambient.clock.monotonic() });
    if (this.#costs.size > MAXIMUM_COSTS) this.#costs.delete(this.#costs.keys().next().value as string);
  }

  #average(key: string): number {
    const cost = this.#costs.get(key);
    if (!cost) return 0;
    const forgotten = ((this.#ambient.clock.monotonic() - cost.at) * FORGOTTEN_PER_SECOND) / 1000;
    return Math.max(0, cost.milliseconds - forgotten);
  }
}

/** Maximum length of a key: names that callers choose are as long as they like. */
const MAXIMUM_KEY = 500;

function keyOf({ user, info: { verb, apiGroup, resource, subresource } }: KnownRequest): string {
  return `${verb} ${apiGroup}/${resource}/${subresource} ${user.name}`.slice(0, MAXIMUM_KEY);
}
