import type { AdmissionPlugin } from '@ashlar/admission';
import { createDefaultTolerations } from './default-tolerations.ts';
import { createInUseProtection } from './in-use-protection.ts';
import { createNewNodeTaint } from './new-node-taint.ts';
import { createPodPriority, type PodPriorityOptions } from './pod-priority.ts';

/**
 * Creates the admission plugins for nodes, pods and volumes that a default server runs, in their order: TaintNodesByCondition, Priority,
 * DefaultTolerationSeconds, StorageObjectInUseProtection.
 */
export function createWorkloadAdmission(options: PodPriorityOptions): readonly AdmissionPlugin[] {
  const { vocabulary } = options;
  return [
    createNewNodeTaint(vocabulary),
    createPodPriority(options),
    createDefaultTolerations(vocabulary),
    createInUseProtection(vocabulary),
  ];
}
