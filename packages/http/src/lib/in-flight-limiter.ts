import type { UserInfo } from '@ashlar/core';
import { PlainTextError } from './plain-text-error.ts';

/** How many requests may be under way at once; 0 is no limit (semantics N3). */
export interface InFlightLimits {
  /** get and list; default 400. */
  readonly readOnly?: number;
  /** The rest, watches excepted; default 200. */
  readonly mutating?: number;
}

const READ_ONLY = new Set(['get', 'list', 'head']);

/** Counts requests under way and refuses those beyond the limits, administrators excepted. */
export class InFlightLimiter {
  readonly #limits: { readOnly: number; mutating: number };
  readonly #current: { readOnly: number; mutating: number } = { readOnly: 0, mutating: 0 };
  readonly #release: { readOnly: () => void; mutating: () => void };

  constructor({ readOnly = 400, mutating = 200 }: InFlightLimits) {
    this.#limits = { readOnly, mutating };
    this.#release = {
      readOnly: () => void this.#current.readOnly--,
      mutating: () => void this.#current.mutating--,
    };
  }

  /** Requests of a kind that are under way. */
  current(kind: keyof InFlightLimits): number {
    return this.#current[kind];
  }

  /**
   * Takes a place; gives what frees it.
   * @throws PlainTextError 429
   */
  enter(verb: string, user: UserInfo): () => void {
    const kind = READ_ONLY.has(verb) ? 'readOnly' : 'mutating';
    const limit = this.#limits[kind];
    if (limit > 0 && this.#current[kind] >= limit && !user.groups.includes('system:masters')) {
      throw new PlainTextError(429, 'Too many requests, please try again later.\n', { 'retry-after': '1' });
    }
    this.#current[kind]++;
    return this.#release[kind];
  }
}
