/**
 * Returns the answer, or rejects with the reason of the signal if that comes first. Nothing is called once the signal is aborted. The callee goes on: others
 * may wait for the same, so who gives up leaves alone.
 * @throws the reason of the signal, and whatever the answer fails with
 * @example
 * const answer = await unlessAborted(() => handler(request), request.signal);
 */
export async function unlessAborted<T>(
  ask: () => T | Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  signal?.throwIfAborted();
  const answer = ask();
  if (!signal || !(answer instanceof Promise)) return answer;
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    // aborted during the call, for which listeners are added too late
    if (signal.aborted) abort();
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
