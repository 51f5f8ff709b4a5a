import type { Condition, Pod } from './pod-types.ts';

/** A condition to set. */
interface NewCondition extends Condition {
  readonly type: string;
  readonly status: string;
}

/** A pod with a condition set; the transition time is kept if only the reason changes. */
export function withCondition(pod: Pod, condition: NewCondition, now: string): Pod {
  const conditions = pod.status?.conditions ?? [];
  const before = conditions.find(({ type }) => type === condition.type) as StoredCondition | undefined;
  const { type, status, reason, message } = condition;
  const set: StoredCondition = {
    type,
    status,
    lastProbeTime: null,
    lastTransitionTime: before?.status === status ? (before.lastTransitionTime ?? now) : now,
    ...(reason && { reason }),
    ...(message && { message }),
  };
  const next = before ? conditions.map((other) => (other === before ? set : other)) : [...conditions, set];
  return { ...pod, status: { ...pod.status, conditions: next } };
}

interface StoredCondition extends Condition {
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string | null;
}
