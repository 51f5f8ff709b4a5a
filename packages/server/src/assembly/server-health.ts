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

/** The checks that every server has, in the order in which they are told (semantics/discovery#health). */
export function serverHealthChecks({
  storage,
  clock,
  start,
  stopping,
}: ServerHealth): readonly HealthCheck[] {
  const check = createStorageCheck({ ask: () => storage.currentRevision() }, clock);
  return [
    { name: 'ping', check: () => {} },
    { name: 'etcd', check },
    { name: 'etcd-readiness', endpoints: ['readyz'], check },
    ...writableCheck(storage, clock),
    ...Object.entries(start).map(([name, work]) => ({
      name: `poststarthook/${name}`,
      isStartup: true,
      check: finishedCheck(work),
    })),
    { name: 'shutdown', endpoints: ['readyz'], check: () => stopping.throwIfAborted() },
  ];
}

/** A server whose storage can be read and not written lives, but is not ready. */
function writableCheck(storage: KeyValueStore, clock: Clock): readonly HealthCheck[] {
  if (!storage.check) return [];
  const check = createStorageCheck({ ask: () => storage.check?.() }, clock);
  return [{ name: 'storage', endpoints: ['readyz'], check }];
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
