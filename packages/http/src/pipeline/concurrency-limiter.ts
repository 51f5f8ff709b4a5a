import type { MaybePromise, ServerResponse } from '@ashlar/core';
import type { RequestScope } from './request-scope.ts';

/** What requests do, as far as it is counted. */
export type RequestKind = 'readOnly' | 'mutating';

/** Limits how many requests are handled at a time. */
export interface ConcurrencyLimiter {
  /** Number of requests of a kind that are being handled. */
  current(kind: RequestKind): number;
  /** Number of requests of a kind that wait for a place. */
  waiting(kind: RequestKind): number;
  /**
   * Handles a request, now or when there is a place for it; the place is free once its response is made.
   * @throws PlainTextError 429 if there is none
   */
  run(
    scope: RequestScope,
    handle: (scope: RequestScope) => MaybePromise<ServerResponse>,
  ): MaybePromise<ServerResponse>;
}

const READ_ONLY = new Set(['get', 'list', 'watch', 'head']);

/** Returns the kind of a request with that verb. */
export const requestKind = (verb: string): RequestKind => (READ_ONLY.has(verb) ? 'readOnly' : 'mutating');
