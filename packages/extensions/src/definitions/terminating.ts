import { conditionOf, type Verdict } from './conditions.ts';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';

/** How long the deletion of objects may take before the condition says so. */
const MINUTE = 60_000;

const terminating = (status: string, reason: string, message: string): Verdict => ({
  type: 'Terminating',
  status,
  reason,
  message,
});
const IN_PROGRESS: Verdict = terminating(
  'True',
  'InstanceDeletionInProgress',
  'CustomResource deletion is in progress',
);
const UNCONFIRMED: Verdict = terminating(
  'True',
  'InstanceDeletionCheck',
  'could not confirm zero CustomResources remaining: timed out waiting for the condition',
);
const FAILED = 'InstanceDeletionFailed';
export const COMPLETED: Verdict = terminating('False', 'InstanceDeletionCompleted', 'removed all instances');
export const OVERLAPPING: Verdict = terminating(
  'False',
  'OverlappingBuiltInResource',
  'instances overlap with built-in resources in storage',
);
export const NEVER_ESTABLISHED: Verdict = terminating(
  'False',
  'NeverEstablished',
  'resource was never established',
);

/**
 * The condition when the deletion of objects begins, or is tried again; undefined if the condition already says how it goes: it is not
 * written to and fro with each attempt.
 */
export function atBeginning(definition: CustomResourceDefinition): Verdict | undefined {
  const { status, reason } = conditionOf(definition, 'Terminating') ?? {};
  const says = reason === IN_PROGRESS.reason || reason === UNCONFIRMED.reason || reason === FAILED;
  return status === 'True' && says ? undefined : IN_PROGRESS;
}

/** The condition while objects remain. @param now milliseconds since 1970 */
export function whileObjectsRemain(definition: CustomResourceDefinition, now: number): Verdict {
  const { status, lastTransitionTime } = conditionOf(definition, 'Terminating') ?? {};
  const since = Date.parse(lastTransitionTime ?? '');
  return status === 'True' && now - since >= MINUTE ? UNCONFIRMED : IN_PROGRESS;
}

/** The condition after a failure; undefined if there was one before, which need not be the same, since each write causes another attempt. */
export function afterFailure(definition: CustomResourceDefinition, message: string): Verdict | undefined {
  const { status, reason } = conditionOf(definition, 'Terminating') ?? {};
  return status === 'True' && reason === FAILED ? undefined : terminating('True', FAILED, message);
}
