import { groupName, type Vocabulary } from '@ashlar/core';

/**
 * Groups as discovery lists them, those of one rank by name; whoever is not among them comes behind, by name, too. Clients
 * take the first group that has a kind, so the order is part of the answer (measured on the reference, semantics/discovery#discovery).
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

/** Compares names of groups as discovery orders them; the core group, which has a root of its own, is before all. */
export function compareGroups(vocabulary: Vocabulary): (a: string, b: string) => number {
  const ranks = new Map(
    RANKS.flatMap((names, rank) => names.map((name) => [groupName(vocabulary, name), rank] as const)),
  ).set('', -1);
  const rankOf = (group: string): number => ranks.get(group) ?? RANKS.length;
  return (a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : Number(a > b));
}
