import type { Vocabulary } from '@ashlar/core';
import type { RankedVersion } from '../aggregated/aggregated-apis.ts';
import { versionPriority } from '../catalog/version-priority.ts';

/** Priorities of the groups and versions that a server serves besides the built-in ones, such as those of definitions. */
const OTHERS = { groupPriority: 1000, versionPriority: 100 };

/** The place of a version that a server serves itself, among those that others serve. */
export function rankOfOwn(vocabulary: Vocabulary, group: string, version: string): RankedVersion {
  return { group, version, ...(versionPriority(vocabulary, group, version) ?? OTHERS) };
}
