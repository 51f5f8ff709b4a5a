import { type Clock, type MaybePromise, sleep } from '@ashlar/core';

/** Maximum time that the storage may take to answer. */
const TIMEOUT_MILLISECONDS = 2_000;
/** How long a response is reused, so that many health requests do not load the storage. */
const REUSE_MILLISECONDS = 1_000;

/**
 * Creates a check that fails unless the storage answers within two seconds (semantics/discovery#health). It sends at most one request
 * a second, unless the storage answers synchronously.
 * @returns throws, or rejects, where it does not answer
 */
export function createStorageCheck(
  { request }: { readonly request: () => MaybePromise<unknown> },
  clock: Clock,
): () => void | Promise<void> {
  let last: { readonly at: number; readonly answer: Promise<void> } | undefined;
  return () => {
    const now = clock.monotonic();
    if (last && now - last.at < REUSE_MILLISECONDS) return last.answer;
    const response = request();
    if (!(response instanceof Promise)) return undefined;
    last = { at: now, answer: inTime(response, clock) };
    return last.answer;
  };
}

async function inTime(response: Promise<unknown>, clock: Clock): Promise<void> {
  const answered = new AbortController();
  const timeout = sleep(clock, TIMEOUT_MILLISECONDS, answered.signal).then(
    () => {
      throw new Error('the storage does not answer in time');
    },
    () => {},
  );
  try {
    await Promise.race([response, timeout]);
  } finally {
    answered.abort();
  }
}
