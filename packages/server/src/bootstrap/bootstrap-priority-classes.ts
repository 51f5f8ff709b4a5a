import type { ServedResource } from '@ashlar/http';
import { createMissing } from './create-missing.ts';

const CLASSES = [
  {
    metadata: { name: 'system-node-critical' },
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  {
    metadata: { name: 'system-cluster-critical' },
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
] as const;

/** Creates the priority classes of system pods if they are missing (semantics/lifecycle#objects-at-start). */
export function bootstrapPriorityClasses(classes: ServedResource): Promise<void> {
  return createMissing(classes, CLASSES);
}
