import type { UserInfo } from '@ashlar/core';
import { PlainTextError } from './plain-text-error.ts';

/** How many requests may be under way at once; 0 is no limit (semantics/requests#in-flight-limits). */
export interface InFlightLimits {
  /** get and list; default 400. */
  readonly readOnly?: number;
  /** The rest, watches excepted; default 200. */
  readonly mutating?: number;
  /** Those of `readOnly` that one user may have, anonymous callers together; default half of them, but not less than 20. */
  readonly readOnlyPerUser?: number;
  /** The same of `mutating`. */
  readonly mutatingPerUser?: number;
}

type Kind = 'readOnly' | 'mutating';

const READ_ONLY = new Set(['get', 'list', 'head']);
/** Where there is room for few, one user may have it all. */
const LEAST_PER_USER = 20;

/** Counts requests under way and refuses those beyond the limits, administrators excepted. */
export class InFlightLimiter {
  readonly #places: Readonly<Record<Kind, Places>>;

  constructor(limits: InFlightLimits) {
    const { readOnly = 400, mutating = 200 } = limits;
    this.#places = {
      readOnly: new Places(readOnly, limits.readOnlyPerUser ?? shareOf(readOnly)),
      mutating: new Places(mutating, limits.mutatingPerUser ?? shareOf(mutating)),
    };
  }

  /** Requests of a kind that are under way. */
  current(kind: Kind): number {
    return this.#places[kind].taken;
  }

  /**
   * Takes a place; gives what frees it, once.
   * @throws PlainTextError 429
   */
  enter(verb: string, user: UserInfo): () => void {
    const places = this.#places[READ_ONLY.has(verb) ? 'readOnly' : 'mutating'];
    if (!places.haveRoom(user.name) && !user.groups.includes('system:masters'))
      throw new PlainTextError(429, 'Too many requests, please try again later.\n', { 'retry-after': '1' });
    return places.take(user.name);
  }
}

function shareOf(limit: number): number {
  return Math.max(Math.ceil(limit / 2), LEAST_PER_USER);
}

/** The places for requests of one kind. */
class Places {
  taken = 0;
  readonly #limit: number;
  readonly #limitPerUser: number;
  /** By the user's name; who has none is not in it. */
  readonly #ofUsers = new Map<string, number>();

  constructor(limit: number, limitPerUser: number) {
    this.#limit = limit;
    this.#limitPerUser = limit > 0 ? limitPerUser : 0;
  }

  haveRoom(user: string): boolean {
    if (this.#limit > 0 && this.taken >= this.#limit) return false;
    return this.#limitPerUser <= 0 || (this.#ofUsers.get(user) ?? 0) < this.#limitPerUser;
  }

  take(user: string): () => void {
    this.taken++;
    this.#ofUsers.set(user, (this.#ofUsers.get(user) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.#free(user);
      isHeld = false;
    };
  }

  #free(user: string): void {
    this.taken--;
    const left = (this.#ofUsers.get(user) as number) - 1;
    if (left > 0) this.#ofUsers.set(user, left);
    else this.#ofUsers.delete(user);
  }
}
