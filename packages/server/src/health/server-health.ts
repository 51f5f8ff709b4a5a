import type { Clock, Vocabulary } from '@ashlar/core';
import type { HealthCheck } from '@ashlar/http';
import type { KeyValueStore } from '@ashlar/storage';
import { type StartTasks, startChecks } from './start-checks.ts';
import { createStorageCheck } from './storage-check.ts';

/** The state of a server that its health checks report. */
export interface ServerHealth {
  readonly storage: KeyValueStore;
  readonly clock: Clock;
  readonly start: StartTasks;
  readonly vocabulary: Vocabulary;
  /** Aborted when the server shuts down. */
  readonly stopping: AbortSignal;
}

/** Returns the health checks that every server has, in the order of their output (semantics/discovery#health). */
export function serverHealthChecks({
  storage,
  clock,
  start,
  vocabulary,
  stopping,
}: ServerHealth): readonly HealthCheck[] {
  const check = createStorageCheck({ request: () => storage.currentRevision() }, clock);
  const readiness = createStorageCheck({ request: () => requestReadiness(storage) }, clock);
  return [
    { name: 'ping', check: () => {} },
    // lines of the log are written at once: none is held up
    { name: 'log', check: () => {} },
    { name: 'etcd', check },
    { name: 'etcd-readiness', endpoints: ['readyz'], check: readiness },
    ...startChecks(start, vocabulary),
    { name: 'shutdown', endpoints: ['readyz'], check: () => stopping.throwIfAborted() },
  ];
}

/** The storage is ready if it can be read, and written where it can tell. */
async function requestReadiness(storage: KeyValueStore): Promise<void> {
  await storage.currentRevision();
  await storage.check?.();
}
