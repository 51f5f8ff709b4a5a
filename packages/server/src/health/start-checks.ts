import type { Vocabulary } from '@ashlar/core';
import type { HealthCheck } from '@ashlar/http';

/** The tasks of the start of a server; a task that it does not have is absent. */
export interface StartTasks {
  readonly namespaces: Promise<unknown>;
  readonly roles?: Promise<unknown>;
  readonly tokens?: Promise<unknown>;
  readonly addresses?: Promise<unknown>;
  readonly priorityClasses?: Promise<unknown>;
  readonly flows?: Promise<unknown>;
  readonly services?: Promise<unknown>;
  /** The last one: what is stored is read and followed. */
  readonly ready: Promise<unknown>;
}

/**
 * The checks of the start by their names in release 1.32, and the task that does the same work here, in the order of their output
 * (semantics/discovery#health). The names are those of parts of that program, which monitoring knows.
 */
const checkNames = ({
  namespacePrefix,
}: Vocabulary): readonly (readonly [name: string, task: keyof StartTasks])[] => [
  ['poststarthook/start-apiserver-admission-initializer', 'ready'],
  ['poststarthook/generic-apiserver-start-informers', 'ready'],
  ['poststarthook/priority-and-fairness-config-consumer', 'flows'],
  ['poststarthook/priority-and-fairness-filter', 'flows'],
  ['poststarthook/storage-object-count-tracker-hook', 'ready'],
  ['poststarthook/start-apiextensions-informers', 'ready'],
  ['poststarthook/start-apiextensions-controllers', 'ready'],
  ['poststarthook/crd-informer-synced', 'ready'],
  ['poststarthook/start-system-namespaces-controller', 'namespaces'],
  ['poststarthook/start-legacy-token-tracking-controller', 'tokens'],
  ['poststarthook/start-service-ip-repair-controllers', 'addresses'],
  ['poststarthook/rbac/bootstrap-roles', 'roles'],
  ['poststarthook/scheduling/bootstrap-system-priority-classes', 'priorityClasses'],
  ['poststarthook/priority-and-fairness-config-producer', 'flows'],
  [`poststarthook/start-${namespacePrefix}-aggregator-informers`, 'ready'],
  ['poststarthook/apiservice-status-local-available-controller', 'ready'],
  ['poststarthook/apiservice-status-remote-available-controller', 'ready'],
  ['poststarthook/apiservice-registration-controller', 'ready'],
  ['poststarthook/apiservice-discovery-controller', 'ready'],
  [`poststarthook/${namespacePrefix}-apiserver-autoregistration`, 'services'],
  ['autoregister-completion', 'services'],
  ['poststarthook/apiservice-openapi-controller', 'ready'],
  ['poststarthook/apiservice-openapiv3-controller', 'ready'],
];

/** Returns the health checks of the start, in the order of their output. */
export function startChecks(tasks: StartTasks, vocabulary: Vocabulary): readonly HealthCheck[] {
  const checks = new Map<Promise<unknown>, () => void>();
  const checkOf = (task: Promise<unknown>): (() => void) => {
    const check = checks.get(task) ?? finishedCheck(task);
    checks.set(task, check);
    return check;
  };
  return [
    { name: 'informer-sync', endpoints: ['readyz'], check: checkOf(tasks.ready) },
    ...checkNames(vocabulary).flatMap(([name, task]) => {
      const work = tasks[task];
      return work ? [{ name, isStartup: true, check: checkOf(work) }] : [];
    }),
  ];
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
