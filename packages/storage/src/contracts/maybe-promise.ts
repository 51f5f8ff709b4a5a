/** Applies a function to a value that may be a promise, synchronously if it is not. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Calls a function that may return a promise, and translates its error. */
export function orElse<T>(
  ask: () => MaybePromise<T>,
  translate: (error: unknown) => unknown,
): MaybePromise<T> {
  const fail = (error: unknown): never => {
    throw translate(error);
  };
  try {
    const answer = ask();
    return answer instanceof Promise ? answer.catch(fail) : answer;
  } catch (error) {
    return fail(error);
  }
}

/** A value or a promise of it: engines in memory return values without a promise. */
export type MaybePromise<T> = T | Promise<T>;
