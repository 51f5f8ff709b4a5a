import type { Clock } from './ambient.ts';

/**
 * Calls back when a result is available, and returns the result unchanged: immediate values are returned
 * without a promise.
 * @param failed called with what is thrown or rejected, which is rethrown
 */
export function observed<T>(
  call: () => T | Promise<T>,
  answered: (answer: T) => void,
  failed: (error: unknown) => void,
): T | Promise<T> {
  let answer: T | Promise<T>;
  try {
    answer = call();
  } catch (error) {
    failed(error);
    throw error;
  }
  if (answer instanceof Promise) return observedAsync(answer, answered, failed);
  answered(answer);
  return answer;
}

async function observedAsync<T>(
  pending: Promise<T>,
  answered: (answer: T) => void,
  failed: (error: unknown) => void,
): Promise<T> {
  let answer: T;
  try {
    answer = await pending;
  } catch (error) {
    failed(error);
    throw error;
  }
  answered(answer);
  return answer;
}

/** Called with the outcomes of a measured function, and with how long it took. */
interface MeasuredOutcome<T> {
  answered(answer: T, seconds: number): void;
  failed(seconds: number): void;
}

/**
 * Measures each call of a function, whose result is returned unchanged. Most answers are immediate: nothing is created for
 * their calls.
 */
export function measured<A extends readonly unknown[], T>(
  call: (...parameters: A) => T | Promise<T>,
  clock: Pick<Clock, 'monotonic'>,
  { answered, failed }: MeasuredOutcome<T>,
): (...parameters: A) => T | Promise<T> {
  const secondsSince = (start: number): number => (clock.monotonic() - start) / 1000;
  const countLater = (pending: Promise<T>, start: number): Promise<T> =>
    observedAsync(
      pending,
      (answer) => answered(answer, secondsSince(start)),
      () => failed(secondsSince(start)),
    );
  return (...parameters) => {
    const start = clock.monotonic();
    let answer: T | Promise<T>;
    try {
      answer = call(...parameters);
    } catch (error) {
      failed(secondsSince(start));
      throw error;
    }
    if (answer instanceof Promise) return countLater(answer, start);
    answered(answer, secondsSince(start));
    return answer;
  };
}
