import type { UserInfo } from '@ashlar/core';

const PREFIX = 'system:node:';
const GROUP = 'system:nodes';

/**
 * The name of the node that a user is, empty for a node without a name; undefined for other users
 * (semantics/access#nodes). Nodes have the name `system:node:<name>` and the group `system:nodes`.
 */
export function nodeNameOf({ name, groups }: UserInfo): string | undefined {
  if (!name.startsWith(PREFIX) || !groups.includes(GROUP)) return undefined;
  return name.slice(PREFIX.length);
}
