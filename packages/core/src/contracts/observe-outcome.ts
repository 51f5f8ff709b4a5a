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
