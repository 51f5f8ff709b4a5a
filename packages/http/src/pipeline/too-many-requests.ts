import { PlainTextError } from './plain-text-error.ts';

/** Returns the error of a request for which there is no place (semantics/status#situations). */
export function tooManyRequests(retryAfterSeconds: number): PlainTextError {
  return new PlainTextError(429, 'Too many requests, please try again later.\n', {
    'retry-after': String(retryAfterSeconds),
  });
}
