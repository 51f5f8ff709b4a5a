import type { UserInfo } from '@ashlar/core';

const PREFIX = 'system:node:';
const GROUP = 'system:nodes';

/**
 * The name of the node that a user is, empty if he is one without a name; undefined if he is none (semantics/access#nodes). Nodes are
 * called `system:node:<name>` and belong to the group `system:nodes`.
 */
export function nodeNameOf({ name, groups }: UserInfo): string | undefined {
  if (!name.startsWith(PREFIX) || !groups.includes(GROUP)) return undefined;
  return name.slice(PREFIX.length);
}
