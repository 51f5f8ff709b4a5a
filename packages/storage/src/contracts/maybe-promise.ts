/** Goes on with an answer: at once where it is at hand, so that no promise is made for it. */
export function andThen<T, R>(answer: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return answer instanceof Promise ? answer.then(next) : next(answer);
}

/** As {@link andThen}, with another error in the place of one that is thrown. */
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

/** An answer at hand, or one to wait for: engines in memory never make a promise for a read. */
export type MaybePromise<T> = T | Promise<T>;
