import { groupName, type Vocabulary } from '@ashlar/core';
import { builtInPriority } from './group-order.ts';

/** The priorities of a version that a server serves itself, in its API service. */
export interface VersionPriority {
  readonly groupPriority: number;
  readonly versionPriority: number;
}

/** Priorities within a group that differ from those of other versions of their stability (recorded from the reference server). */
const EXCEPTIONS: readonly (readonly [group: string, version: string, priority: number])[] = [
  ['', 'v1', 1],
  ['events.', 'v1beta1', 5],
  ['autoscaling', 'v2', 30],
  ['autoscaling', 'v2beta2', 1],
  ['admissionregistration.', 'v1beta1', 12],
  ['admissionregistration.', 'v1alpha1', 9],
  ['coordination.', 'v1alpha2', 12],
  ['discovery.', 'v1beta1', 12],
  ['flowcontrol.apiserver.', 'v1', 21],
  ['flowcontrol.apiserver.', 'v1beta3', 18],
  ['flowcontrol.apiserver.', 'v1beta2', 15],
  ['flowcontrol.apiserver.', 'v1beta1', 12],
  ['flowcontrol.apiserver.', 'v1alpha1', 9],
  ['storagemigration.', 'v1alpha1', 9],
];
const STABLE_PRIORITY = 15;
const BETA_PRIORITY = 9;
const ALPHA_PRIORITY = 1;

/** Returns the priorities of a version of a built-in group; undefined for other groups. */
export function versionPriority(
  vocabulary: Vocabulary,
  group: string,
  version: string,
): VersionPriority | undefined {
  const groupPriority = builtInPriority(vocabulary, group);
  if (groupPriority === undefined) return undefined;
  const exception = EXCEPTIONS.find(([name, of]) => of === version && groupName(vocabulary, name) === group);
  return { groupPriority, versionPriority: exception?.[2] ?? priorityOfStability(version) };
}

function priorityOfStability(version: string): number {
  if (version.includes('alpha')) return ALPHA_PRIORITY;
  return version.includes('beta') ? BETA_PRIORITY : STABLE_PRIORITY;
}
