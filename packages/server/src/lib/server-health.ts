import type { Clock } from '@ashlar/core';
import type { HealthCheck } from '@ashlar/http';
import type { KeyValueStore } from '@ashlar/storage';
import { createStorageCheck } from './storage-check.ts';

/** What a server must have done and be. */
export interface ServerHealth {
  readonly storage: KeyValueStore;
  readonly clock: Clock;
  /** What the server does at its start, by name. */
  readonly start: Readonly<Record<string, Promise<unknown>>>;
  /** Aborted when the server begins to end. */
  readonly stopping: AbortSignal;
}

/** The checks that every server has, in the order in which they are told (semantics L5). */
export function serverHealthChecks({
  storage,
  clock,
  start,
  stopping,
}: ServerHealth): readonly HealthCheck[] {
  const check = createStorageCheck(storage, clock);
  return [
    { name: 'ping', check: () => {} },
    { name: 'etcd', check },
    { name: 'etcd-readiness', endpoints: ['readyz'], check },
    ...Object.entries(start).map(([name, work]) => ({
      name: `poststarthook/${name}`,
      ofStart: true,
      check: finishedCheck(work),
    })),
    { name: 'shutdown', endpoints: ['readyz'], check: () => stopping.throwIfAborted() },
  ];
}

/** Whether something has been done: who asks does not wait for it. */
function finishedCheck(work: Promise<unknown>): () => void {
  let fault: unknown = new Error('not finished');
  work.then(
    () => {
      fault = undefined;
    },
    (error) => {
      fault = error;
    },
  );
  return () => {
    if (fault !== undefined) throw fault;
  };
}
