import { millisecondsOf, parseTime } from '@ashlar/core';
import type { Container } from '../pods/container-types.ts';
import type { ContainerStatus, Pod, PodStatus } from './pod-types.ts';

/** The summary of a pod in one line. */
export interface PodState {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  /** When the last restarted container had ended. */
  readonly lastRestart: string | undefined;
}

/** Result for one group of containers. */
interface Tally {
  readonly ready: number;
  readonly restarts: number;
  readonly lastRestart: string | undefined;
  /** Undefined if the containers determine no reason. */
  readonly reason: string | undefined;
}

/** Computes the state of a pod from those of its containers (semantics/tables#built-in-columns). */
export function podState(pod: Pod): PodState {
  const { spec = {}, status = {} } = pod;
  const sidecars = new Set((spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name));
  const init = initTally(status, sidecars, spec.initContainers?.length ?? 0);
  const total = (spec.containers?.length ?? 0) + sidecars.size;
  const base = baseReason(status);
  if (init.reason !== undefined && !isTrue(status, 'Initialized')) {
    return { ...init, total, reason: atEnd(pod, init.reason) };
  }
  const main = mainTally(status, init);
  const reason = main.reason ?? init.reason ?? base;
  return { ...main, total, reason: atEnd(pod, reason) };
}

const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

const isTrue = ({ conditions = [] }: PodStatus, conditionType: string): boolean =>
  conditions.some(({ type, status }) => type === conditionType && status === 'True');

function baseReason({ phase = '', reason, conditions = [] }: PodStatus): string {
  const gated = conditions.some(
    (condition) => condition.type === 'PodScheduled' && condition.reason === 'SchedulingGated',
  );
  return gated ? 'SchedulingGated' : reason || phase;
}

interface InitTally extends Tally {
  /** Of sidecars only. */
  readonly sidecarRestarts: number;
  readonly lastSidecarRestart: string | undefined;
}

/** Counts up to the first container that is not ready. */
function initTally(status: PodStatus, sidecars: ReadonlySet<string | undefined>, count: number): InitTally {
  let ready = 0;
  let restarts = 0;
  let sidecarRestarts = 0;
  let lastRestart: string | undefined;
  let lastSidecarRestart: string | undefined;
  for (const [index, container] of (status.initContainerStatuses ?? []).entries()) {
    const isSide = sidecars.has(container.name);
    restarts += container.restartCount ?? 0;
    lastRestart = latestFinish(lastRestart, container);
    if (isSide) {
      sidecarRestarts += container.restartCount ?? 0;
      lastSidecarRestart = latestFinish(lastSidecarRestart, container);
    }
    if (container.state?.terminated?.exitCode === 0) continue;
    if (isSide && container.started) {
      if (container.ready) ready++;
      continue;
    }
    const reason = initReason(container, index, count);
    return { ready, restarts, lastRestart, reason, sidecarRestarts, lastSidecarRestart };
  }
  return { ready, restarts, lastRestart, reason: undefined, sidecarRestarts, lastSidecarRestart };
}

function initReason({ state = {} }: ContainerStatus, index: number, count: number): string {
  const { terminated, waiting } = state;
  if (terminated) return `Init:${terminated.reason || endText(terminated)}`;
  if (waiting?.reason && waiting.reason !== 'PodInitializing') return `Init:${waiting.reason}`;
  return `Init:${index}/${count}`;
}

const endText = ({ signal, exitCode }: { readonly signal?: number; readonly exitCode?: number }): string =>
  signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`;

/** The first main container with a reason determines it. */
function mainTally(status: PodStatus, init: InitTally): Tally {
  let { ready, sidecarRestarts: restarts, lastSidecarRestart: lastRestart } = init;
  let reason: string | undefined;
  let isRunning = false;
  for (const container of (status.containerStatuses ?? []).toReversed()) {
    restarts += container.restartCount ?? 0;
    lastRestart = latestFinish(lastRestart, container);
    const { waiting, terminated, running } = container.state ?? {};
    if (waiting?.reason) reason = waiting.reason;
    else if (terminated) reason = terminated.reason || endText(terminated);
    else if (container.ready && running) {
      isRunning = true;
      ready++;
    }
  }
  const shown = reason ?? init.reason ?? baseReason(status);
  if (shown === 'Completed' && isRunning) reason = isTrue(status, 'Ready') ? 'Running' : 'NotReady';
  return { ready, restarts, lastRestart, reason };
}

function latestFinish(last: string | undefined, { lastState }: ContainerStatus): string | undefined {
  const ended = lastState?.terminated?.finishedAt;
  if (!ended) return last;
  return last === undefined || instant(ended) > instant(last) ? ended : last;
}

const instant = (text: string): number => millisecondsOf(parseTime(text));

/** A pod that is being deleted is Terminating, unless it has ended. */
function atEnd({ metadata, status = {} }: Pod, reason: string): string {
  if (metadata.deletionTimestamp === undefined) return reason;
  if (status.reason === 'NodeLost') return 'Unknown';
  return status.phase === 'Succeeded' || status.phase === 'Failed' ? reason : 'Terminating';
}
