/**
 * Tells of an answer when it is there, at once or later, and gives it on as it came: what is at hand stays without a promise.
 * @param failed told of what is thrown or rejected, which goes on
 */
export function observed<T>(
  ask: () => T | Promise<T>,
  answered: (answer: T) => void,
  failed: (error: unknown) => void,
): T | Promise<T> {
  const told = (answer: T): T => {
    answered(answer);
    return answer;
  };
  const broken = (error: unknown): never => {
    failed(error);
    throw error;
  };
  let answer: T | Promise<T>;
  try {
    answer = ask();
  } catch (error) {
    return broken(error);
  }
  return answer instanceof Promise ? answer.then(told, broken) : told(answer);
}
