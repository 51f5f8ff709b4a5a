import type { AdmissionPlugin } from '@ashlar/admission';
import { type Ambient, type ApiObject, groupName, timestampText } from '@ashlar/core';
import type { RequestCondition, SigningRequest } from './signing-request-types.ts';

/**
 * A plugin that sets the times of conditions of certificate signing requests. It is called after all others, which see what was sent
 * (semantics/access#certificate-signing-requests).
 */
export function createConditionTimes({
  vocabulary,
  clock,
}: Pick<Ambient, 'vocabulary' | 'clock'>): AdmissionPlugin {
  const group = groupName(vocabulary, 'certificates.');
  return {
    name: 'CertificateConditionTimes',
    handles: ({ resource, subresource, operation }) =>
      operation === 'UPDATE' &&
      resource.group === group &&
      resource.resource === 'certificatesigningrequests' &&
      (subresource === 'approval' || subresource === 'status'),
    admit: ({ object, oldObject }) =>
      object && oldObject ? withTimes(object, oldObject, timestampText(clock.now())) : undefined,
  };
}

/** Sets missing times of conditions: updated now, and changed now unless they had the same status before. */
function withTimes(object: SigningRequest, stored: SigningRequest, now: string): ApiObject | undefined {
  const { status } = object;
  const conditions = status?.conditions;
  if (!Array.isArray(conditions)) return undefined;
  const before = transitionTimes(stored.status?.conditions ?? []);
  const timed = conditions.map((condition: RequestCondition) => ({
    ...condition,
    lastUpdateTime: condition.lastUpdateTime ?? now,
    lastTransitionTime: condition.lastTransitionTime ?? before.get(stateOf(condition)) ?? now,
  }));
  return { ...object, status: { ...status, conditions: timed } } as ApiObject;
}

/** When conditions changed, by what they say: of those that say the same, the first one counts. */
function transitionTimes(
  conditions: readonly RequestCondition[],
): ReadonlyMap<string, string | null | undefined> {
  const times = new Map<string, string | null | undefined>();
  for (const condition of conditions) {
    const state = stateOf(condition);
    if (!times.has(state)) times.set(state, condition.lastTransitionTime);
  }
  return times;
}

/** What a condition says: no two have it in common by how their texts are joined. */
const stateOf = ({ type = '', status = '' }: RequestCondition): string => `${type.length} ${type}${status}`;
