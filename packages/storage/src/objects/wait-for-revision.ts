import { type Clock, StatusError } from '@ashlar/core';
import { type KeyValueStore, RevisionCompactedError } from '../contracts/key-value-store.ts';

/** How long a read waits for a future revision (semantics/list-and-watch#list). */
const PATIENCE_MILLISECONDS = 3000;

/**
 * Resolves when the store has reached a revision.
 *
 * @throws StatusError 504 after three seconds without it; the reason of the signal if it is aborted
 */
export async function waitForRevision(
  store: KeyValueStore,
  revision: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
): Promise<void> {
  signal?.throwIfAborted();
  if (await arrives(store, revision, clock, signal)) return;
  const current = await store.currentRevision();
  if (current < revision) throw StatusError.tooLargeResourceVersion(revision, current, 1);
}

/** A watch from right before that revision has no events until it is reached. */
function arrives(
  store: KeyValueStore,
  awaited: number,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      timer.clear();
      watch[Symbol.dispose]();
      signal?.removeEventListener('abort', aborted);
      finish();
    };
    const aborted = (): void => settle(() => reject(signal?.reason));
    const observer = {
      events: () => settle(() => resolve(true)),
      progress: (revision: number) => {
        if (revision >= awaited) settle(() => resolve(true));
      },
      // a compacted revision was reached before
      error: (error: Error) =>
        settle(() => (RevisionCompactedError.is(error) ? resolve(true) : reject(error))),
    };
    const watch = store.watch('', { afterRevision: awaited - 1 }, observer);
    const timer = clock.setTimer(PATIENCE_MILLISECONDS, () => settle(() => resolve(false)));
    signal?.addEventListener('abort', aborted, { once: true });
  });
}
