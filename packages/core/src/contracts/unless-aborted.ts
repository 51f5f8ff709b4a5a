/**
 * The answer, or the reason of the signal if that comes first; nobody is asked once the signal is aborted. Whoever answers goes on: others
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
    // aborted while it was asked, which no listener hears any more
    if (signal.aborted) abort();
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
