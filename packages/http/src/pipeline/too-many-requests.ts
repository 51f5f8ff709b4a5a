import { PlainTextError } from './plain-text-error.ts';
import type { RequestScope } from './request-scope.ts';

/** Returns the error of a request for which there is no place (semantics/status#situations), which is noted in its scope. */
export function tooManyRequests(
  scope: Pick<RequestScope, 'isTerminated'>,
  retryAfterSeconds: number,
): PlainTextError {
  scope.isTerminated = true;
  return new PlainTextError(429, 'Too many requests, please try again later.\n', {
    'retry-after': String(retryAfterSeconds),
  });
}
