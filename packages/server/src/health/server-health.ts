import type { Clock } from '@ashlar/core';
import type { HealthCheck } from '@ashlar/http';
import type { KeyValueStore } from '@ashlar/storage';
import { createStorageCheck } from './storage-check.ts';

/** The state of a server that its health checks report. */
export interface ServerHealth {
  readonly storage: KeyValueStore;
  readonly clock: Clock;
  /** The tasks of the start, by the names of their checks. */
  readonly start: Readonly<Record<string, Promise<unknown>>>;
  /** Aborted when the server shuts down. */
  readonly stopping: AbortSignal;
}

/** Returns the health checks that every server has, in the order of their output (semantics/discovery#health). */
export function serverHealthChecks({
  storage,
  clock,
  start,
  stopping,
}: ServerHealth): readonly HealthCheck[] {
  const check = createStorageCheck({ request: () => storage.currentRevision() }, clock);
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

/** A server whose storage can be read but not written is live, but not ready. */
function writableCheck(storage: KeyValueStore, clock: Clock): readonly HealthCheck[] {
  if (!storage.check) return [];
  const check = createStorageCheck({ request: () => storage.check?.() }, clock);
  return [{ name: 'storage', endpoints: ['readyz'], check }];
}

/** Returns a check that fails until a task has finished, and never waits for it. */
function finishedCheck(work: Promise<unknown>): () => void {
  let failure: unknown = new Error('not finished');
  work.then(
    () => {
      failure = undefined;
    },
    (error) => {
      failure = error;
    },
  );
  return () => {
    if (failure !== undefined) throw failure;
  };
}
