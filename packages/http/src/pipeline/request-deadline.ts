import { type Clock, errorMessage, parseDuration, StatusError } from '@ashlar/core';
import { isLongRunning, type RequestInfo } from '../request/request-info.ts';
import { PlainTextError } from './plain-text-error.ts';

/**
 * Returns the milliseconds that a request may take: its `timeout` parameter if that is shorter than the server's maximum, which long requests ignore (semantics/requests#time-limits).
 * @throws StatusError 400
 */
export function requestDeadline(info: RequestInfo, maximum: number): number {
  const text = info.query.get('timeout');
  if (text === undefined || text === '' || isLongRunning(info)) return maximum;
  const requested = milliseconds(text);
  return requested > 0 && requested < maximum ? requested : maximum;
}

function milliseconds(text: string): number {
  try {
    return Number(parseDuration(text)) / 1_000_000;
  } catch (error) {
    const why = errorMessage(error);
    throw StatusError.badRequest(`invalid timeout specified in the request URL - ${why}`, error);
  }
}

/**
 * Returns the error of a request whose deadline has passed. The reference answers it outside of what knows the formats of objects
 * (semantics/status#situations).
 */
export function deadlineExceeded(): PlainTextError {
  const message = 'Timeout: request did not complete within the allotted timeout';
  const status = { metadata: {}, status: 'Failure', message, reason: 'Timeout', details: {}, code: 504 };
  return new PlainTextError(504, `${JSON.stringify(status)}\n`);
}

/**
 * Settles as a response does, or fails with 504 if that takes too long.
 * @param onTimeout called in that case, before the promise is rejected; returns the error
 */
export function withDeadline<T>(
  clock: Clock,
  milliseconds: number,
  response: Promise<T>,
  onTimeout: () => Error = deadlineExceeded,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimer(milliseconds, () => reject(onTimeout()));
    response.then(
      (value) => {
        timer.clear();
        resolve(value);
      },
      (error) => {
        timer.clear();
        reject(error);
      },
    );
  });
}
