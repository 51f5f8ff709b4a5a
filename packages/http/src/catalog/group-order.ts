import { groupName, type Vocabulary } from '@ashlar/core';

/**
 * The order of groups in discovery; groups of one rank are sorted by name, and unlisted ones follow, sorted by name. Clients
 * use the first group that has a kind, so the order is part of the API (recorded from the reference server, semantics/discovery#discovery).
 */
const RANKS: readonly (readonly string[])[] = [
  ['apiregistration.'],
  ['apps'],
  ['events.'],
  ['authentication.'],
  ['authorization.'],
  ['autoscaling'],
  ['batch'],
  ['certificates.'],
  ['networking.'],
  ['policy'],
  ['rbac.authorization.'],
  ['storage.'],
  ['admissionregistration.', 'apiextensions.'],
  ['scheduling.'],
  ['coordination.'],
  ['node.'],
  ['discovery.'],
  ['flowcontrol.apiserver.'],
];

/** Returns a comparison of group names in the order of discovery; the core group is first. */
export function compareGroups(vocabulary: Vocabulary): (a: string, b: string) => number {
  const ranks = new Map(
    RANKS.flatMap((names, rank) => names.map((name) => [groupName(vocabulary, name), rank] as const)),
  ).set('', -1);
  const rankOf = (group: string): number => ranks.get(group) ?? RANKS.length;
  return (a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : Number(a > b));
}
