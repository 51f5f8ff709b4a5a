import { groupName, oncePerVocabulary, type Vocabulary } from '@ashlar/core';

/**
 * The priorities of built-in groups; in discovery those of greater priority come first, and those of one priority sorted by name. Clients
 * use the first group that has a kind, so the order is part of the API (recorded from the reference server, semantics/discovery#discovery).
 */
const PRIORITIES: readonly (readonly [group: string, priority: number])[] = [
  ['apiregistration.', 20_001],
  ['apps', 17_800],
  ['events.', 17_750],
  ['authentication.', 17_700],
  ['authorization.', 17_600],
  ['autoscaling', 17_500],
  ['batch', 17_400],
  ['certificates.', 17_300],
  ['networking.', 17_200],
  ['policy', 17_100],
  ['rbac.authorization.', 17_000],
  ['storage.', 16_800],
  ['admissionregistration.', 16_700],
  ['apiextensions.', 16_700],
  ['scheduling.', 16_600],
  ['coordination.', 16_500],
  ['node.', 16_300],
  ['discovery.', 16_200],
  ['flowcontrol.apiserver.', 16_100],
  ['storagemigration.', 15_800],
];
/** The priority of the core group where it is a number; in discovery it is always the first. */
const CORE_PRIORITY = 18_000;
/** The priority of all other groups that a server serves itself. */
const OTHER_PRIORITY = 1_000;

/** Those of a vocabulary by the name of the group. */
const prioritiesOf: (vocabulary: Vocabulary) => ReadonlyMap<string, number> = oncePerVocabulary(
  (vocabulary) => new Map(PRIORITIES.map(([name, priority]) => [groupName(vocabulary, name), priority])),
);

/** Returns the priority of groups by their name; the core group has the greatest. */
export function groupPriorities(vocabulary: Vocabulary): (group: string) => number {
  const priorities = prioritiesOf(vocabulary);
  return (group) => (group === '' ? Number.MAX_SAFE_INTEGER : (priorities.get(group) ?? OTHER_PRIORITY));
}

/** Returns the priority of a built-in group as its API services have it; undefined for other groups. */
export function builtInPriority(vocabulary: Vocabulary, group: string): number | undefined {
  return group === '' ? CORE_PRIORITY : prioritiesOf(vocabulary).get(group);
}

/** Returns a comparison of group names in the order of discovery. */
export function compareGroups(
  vocabulary: Vocabulary,
  priorityOf: (group: string) => number = groupPriorities(vocabulary),
): (a: string, b: string) => number {
  return (a, b) => priorityOf(b) - priorityOf(a) || (a < b ? -1 : Number(a > b));
}
