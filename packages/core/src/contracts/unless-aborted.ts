/**
 * Returns the result, or rejects with the reason of the signal if that comes first. Nothing is called once
 * the signal is aborted. The callee continues: others may wait for the same result.
 * @throws the reason of the signal, and whatever the call rejects with
 * @example
 * const answer = await unlessAborted(() => handler(request), request.signal);
 */
export async function unlessAborted<T>(
  start: () => T | Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  signal?.throwIfAborted();
  const result = start();
  if (!signal || !(result instanceof Promise)) return result;
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    // aborted during the call: listeners would be added too late
    if (signal.aborted) abort();
  });
  try {
    return await Promise.race([result, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
