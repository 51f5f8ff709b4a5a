import { type Clock, parseDuration, StatusError } from '@ashlar/core';
import type { RequestInfo } from '../request/request-info.ts';

/**
 * Milliseconds that a request may take: the caller's `timeout` where it is shorter than the server's (semantics/requests#time-limits).
 * @throws StatusError 400
 */
export function requestDeadline({ query, verb }: RequestInfo, longest: number): number {
  const text = query.get('timeout');
  if (text === undefined || text === '' || verb === 'watch') return longest;
  const asked = milliseconds(text);
  return asked > 0 && asked < longest ? asked : longest;
}

function milliseconds(text: string): number {
  try {
    return Number(parseDuration(text)) / 1_000_000;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw StatusError.badRequest(`invalid timeout specified in the request URL - ${why}`, error);
  }
}

/** The error that a request is answered with when its deadline is over. */
export function deadlineOver(): StatusError {
  return StatusError.timeout('request did not complete within the allotted timeout');
}

/**
 * The answer, or a 504 when it is not there in time.
 * @param giveUp called in that case, before anybody hears of it
 */
export function withDeadline<T>(
  clock: Clock,
  milliseconds: number,
  answer: Promise<T>,
  giveUp?: () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimer(milliseconds, () => {
      giveUp?.();
      reject(deadlineOver());
    });
    answer.then(
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
