import type { Clock } from './ambient.ts';

/**
 * Calls back when a result is available, and returns the result unchanged: immediate values are returned
 * without a promise.
 * @param failed called with what is thrown or rejected, which is rethrown
 */
export function observed<T>(
  call: () => T | Promise<T>,
  answered: (result: T) => void,
  failed: (error: unknown) => void,
): T | Promise<T> {
  let result: T | Promise<T>;
  try {
    result = call();
  } catch (error) {
    failed(error);
    throw error;
  }
  if (result instanceof Promise) return observedAsync(result, answered, failed);
  answered(result);
  return result;
}

async function observedAsync<T>(
  pending: Promise<T>,
  answered: (result: T) => void,
  failed: (error: unknown) => void,
): Promise<T> {
  let result: T;
  try {
    result = await pending;
  } catch (error) {
    failed(error);
    throw error;
  }
  answered(result);
  return result;
}

/** Called with the outcomes of a measured function, and with how long it took. */
interface MeasuredOutcome<T> {
  answered(result: T, seconds: number): void;
  failed(seconds: number): void;
}

/**
 * Measures each call of a function, whose result is returned unchanged. Most results are immediate: nothing is created for
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
      (result) => answered(result, secondsSince(start)),
      () => failed(secondsSince(start)),
    );
  return (...parameters) => {
    const start = clock.monotonic();
    let result: T | Promise<T>;
    try {
      result = call(...parameters);
    } catch (error) {
      failed(secondsSince(start));
      throw error;
    }
    if (result instanceof Promise) return countLater(result, start);
    answered(result, secondsSince(start));
    return result;
  };
}
