import type { JsonValue } from '@ashlar/core';

const anything: JsonValue = {
  resourceRules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
  ],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

const ofGroups = (...names: readonly string[]): JsonValue =>
  names.map((name) => ({ kind: 'Group', group: { name } }));

/** The specs of flow schemas that no client may change. */
export const fixedFlowSchemas: Readonly<Record<string, JsonValue>> = {
  exempt: {
    priorityLevelConfiguration: { name: 'exempt' },
    matchingPrecedence: 1,
    rules: [{ subjects: ofGroups('system:masters'), ...anything }],
  },
  'catch-all': {
    priorityLevelConfiguration: { name: 'catch-all' },
    matchingPrecedence: 10_000,
    distinguisherMethod: { type: 'ByUser' },
    rules: [{ subjects: ofGroups('system:unauthenticated', 'system:authenticated'), ...anything }],
  },
};

/** The specs of priority levels that no client may change; of `exempt` all but `exempt`. */
export const fixedPriorityLevels: Readonly<Record<string, JsonValue>> = {
  exempt: { type: 'Exempt' },
  'catch-all': {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 },
  },
};
