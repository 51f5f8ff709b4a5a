import type { PolicyRule } from '@ashlar/authz';
import { groupName, type Vocabulary } from '@ashlar/core';

/** A compact rule about resources with comma-separated lists: verbs, groups (a trailing dot is replaced by the vendor's domain), resources, names. */
export type ResourceRow = readonly [verbs: string, groups: string, resources: string, names?: string];

/** Every controller may record events. */
export const EVENT_WRITES: ResourceRow = ['create,patch,update', ',events.', 'events'];

/** The rule of a row; its lists are sorted (semantics/access#default-roles). */
export function resourceRule(
  vocabulary: Vocabulary,
  [verbs, groups, resources, names]: ResourceRow,
): PolicyRule {
  return {
    verbs: sorted(verbs),
    apiGroups: groups.split(',').map((group) => groupName(vocabulary, group)),
    resources: sorted(resources),
    ...(names !== undefined && { resourceNames: sorted(names) }),
  };
}

/** A comma-separated list, sorted. */
export const sorted = (list: string): readonly string[] => list.split(',').sort();
