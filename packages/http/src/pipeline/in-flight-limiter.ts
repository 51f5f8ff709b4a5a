import { andFinally, type MaybePromise, type ServerResponse } from '@ashlar/core';
import { isProfile } from '../request/request-info.ts';
import { type ConcurrencyLimiter, type RequestKind, requestKind } from './concurrency-limiter.ts';
import type { RequestScope } from './request-scope.ts';
import { tooManyRequests } from './too-many-requests.ts';

/** Maximum number of concurrent requests; 0 is unlimited (semantics/requests#in-flight-limits). */
export interface InFlightLimits {
  /** get and list; default 400. */
  readonly readOnly?: number;
  /** All other verbs except watch; default 200. */
  readonly mutating?: number;
  /** Maximum of `readOnly` for one user, where all anonymous callers are one; default half of it, but at least 20. */
  readonly readOnlyPerUser?: number;
  /** The same of `mutating`. */
  readonly mutatingPerUser?: number;
}

/** The limits of a server that sets none. */
export const defaultInFlightLimits: { readonly readOnly: number; readonly mutating: number } = {
  readOnly: 400,
  mutating: 200,
};
/** Users whose count is kept when it is 0, so that the table does not shrink and grow with each request. */
const KEPT_USERS = 64;
/** Small limits are not divided: one user may use them all. */
const MINIMUM_PER_USER = 20;

/** Counts concurrent requests and rejects those beyond the limits, except of administrators. */
export class InFlightLimiter implements ConcurrencyLimiter {
  readonly #slots: Readonly<Record<RequestKind, Slots>>;

  constructor(limits: InFlightLimits) {
    const { readOnly = defaultInFlightLimits.readOnly, mutating = defaultInFlightLimits.mutating } = limits;
    this.#slots = {
      readOnly: new Slots(readOnly, limits.readOnlyPerUser ?? shareOf(readOnly)),
      mutating: new Slots(mutating, limits.mutatingPerUser ?? shareOf(mutating)),
    };
  }

  current(kind: RequestKind): number {
    return this.#slots[kind].used;
  }

  /** None waits: they are refused. */
  waiting(): number {
    return 0;
  }

  /** Watches and profiles have no slot. */
  run(
    scope: RequestScope,
    handle: (scope: RequestScope) => MaybePromise<ServerResponse>,
  ): MaybePromise<ServerResponse> {
    if (scope.info.verb === 'watch' || isProfile(scope.info)) return handle(scope);
    const release = this.acquire(scope);
    scope.place = { release };
    return andFinally(() => handle(scope), release);
  }

  /**
   * Acquires a slot.
   * @returns a function that releases the slot; later calls have no effect
   * @throws PlainTextError 429
   */
  acquire(scope: LimitedRequest): () => void {
    const { info, user } = scope;
    const slots = this.#slots[requestKind(info.verb)];
    if (!slots.isFree(user.name) && !user.groups.includes('system:masters')) throw tooManyRequests(scope, 1);
    return slots.acquire(user.name);
  }
}

/** What is known of a request when it is limited. */
type LimitedRequest = Pick<RequestScope, 'user' | 'isTerminated'> & {
  readonly info: Pick<RequestScope['info'], 'verb'>;
};

function shareOf(limit: number): number {
  return Math.max(Math.ceil(limit / 2), MINIMUM_PER_USER);
}

/** The slots for requests of one kind. */
class Slots {
  used = 0;
  readonly #limit: number;
  readonly #limitPerUser: number;
  /** Slots in use by the user's name; of those that have none, a few are kept: most come back soon. */
  readonly #usedByUser = new Map<string, number>();

  constructor(limit: number, limitPerUser: number) {
    this.#limit = limit;
    this.#limitPerUser = limit > 0 ? limitPerUser : 0;
  }

  isFree(user: string): boolean {
    if (this.#limit > 0 && this.used >= this.#limit) return false;
    return this.#limitPerUser <= 0 || (this.#usedByUser.get(user) ?? 0) < this.#limitPerUser;
  }

  acquire(user: string): () => void {
    this.used++;
    this.#usedByUser.set(user, (this.#usedByUser.get(user) ?? 0) + 1);
    let isCounted = true;
    return () => {
      if (isCounted) this.#release(user);
      isCounted = false;
    };
  }

  #release(user: string): void {
    this.used--;
    const left = (this.#usedByUser.get(user) as number) - 1;
    if (left > 0 || this.#usedByUser.size <= KEPT_USERS) this.#usedByUser.set(user, left);
    else this.#usedByUser.delete(user);
  }
}
