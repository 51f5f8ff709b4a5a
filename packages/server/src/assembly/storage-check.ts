import { type Clock, sleep } from '@ashlar/core';
import type { MaybePromise } from '@ashlar/storage';

/** Longest that the storage may take. */
const TIMEOUT_MILLISECONDS = 2_000;
/** How long an answer of it counts: those who ask after it must not be many. */
const KEPT_MILLISECONDS = 1_000;

/**
 * Whether the storage answers, which it has two seconds for (semantics/discovery#health). It is asked once a second at most, unless its answer is at
 * hand.
 * @returns throws, or rejects, where it does not answer
 */
export function createStorageCheck(
  { ask }: { readonly ask: () => MaybePromise<unknown> },
  clock: Clock,
): () => void | Promise<void> {
  let asked: { readonly at: number; readonly answer: Promise<void> } | undefined;
  return () => {
    const now = clock.monotonic();
    if (asked && now - asked.at < KEPT_MILLISECONDS) return asked.answer;
    const answer = ask();
    if (!(answer instanceof Promise)) return undefined;
    asked = { at: now, answer: inTime(answer, clock) };
    return asked.answer;
  };
}

async function inTime(answer: Promise<unknown>, clock: Clock): Promise<void> {
  const answered = new AbortController();
  const late = sleep(clock, TIMEOUT_MILLISECONDS, answered.signal).then(
    () => {
      throw new Error('the storage does not answer in time');
    },
    () => {},
  );
  try {
    await Promise.race([answer, late]);
  } finally {
    answered.abort();
  }
}
