/**
 * A value or a promise of it. What is in memory is returned without a promise, so that most reads are answered
 * in the turn of the event loop in which they arrive.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Applies a function to a value that may be a promise, synchronously if it is not. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Calls a function that may return a promise, and translates its error. */
export function orElse<T>(
  call: () => MaybePromise<T>,
  translate: (error: unknown) => unknown,
): MaybePromise<T> {
  const fail = (error: unknown): never => {
    throw translate(error);
  };
  try {
    const result = call();
    return result instanceof Promise ? result.catch(fail) : result;
  } catch (error) {
    return fail(error);
  }
}

/** Calls a function that may return a promise, and `done` when it has returned, thrown or settled. */
export function andFinally<T>(call: () => MaybePromise<T>, done: () => void): MaybePromise<T> {
  let isPending = false;
  try {
    const result = call();
    isPending = result instanceof Promise;
    return result instanceof Promise ? result.finally(done) : result;
  } finally {
    if (!isPending) done();
  }
}
