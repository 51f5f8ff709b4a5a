import type { PolicyRule } from '@ashlar/authz';
import { groupName, type Vocabulary } from '@ashlar/core';

/** A compact rule about resources with comma-separated lists: verbs, group (a trailing dot is replaced by the vendor's domain), resources, names. */
export type ResourceRow = readonly [verbs: string, group: string, resources: string, names?: string];

/** The rule of a row; its lists are sorted (semantics/access#default-roles). */
export function resourceRule(
  vocabulary: Vocabulary,
  [verbs, group, resources, names]: ResourceRow,
): PolicyRule {
  return {
    verbs: sorted(verbs),
    apiGroups: [groupName(vocabulary, group)],
    resources: sorted(resources),
    ...(names !== undefined && { resourceNames: sorted(names) }),
  };
}

/** A comma-separated list, sorted. */
export const sorted = (list: string): readonly string[] => list.split(',').sort();
