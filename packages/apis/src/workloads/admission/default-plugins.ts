import type { AdmissionPlugin } from '@ashlar/admission';
import { createDefaultTolerations } from './default-tolerations.ts';
import { createInUseProtection } from './in-use-protection.ts';
import { createLimitRanger } from './limit-ranger.ts';
import { createNewNodeTaint } from './new-node-taint.ts';
import { createPodPriority } from './pod-priority.ts';
import { createRuntimeClass } from './runtime-class-of-pods.ts';
import { createClaimResize, createDefaultStorageClass } from './storage-class-of-claims.ts';
import type { WorkloadAdmissionOptions } from './stored-classes.ts';

/** Creates the admission plugins for nodes, pods and volumes that a default server runs, in their order. */
export function createWorkloadAdmission(options: WorkloadAdmissionOptions): readonly AdmissionPlugin[] {
  const { vocabulary } = options;
  return [
    createLimitRanger(options),
    createNewNodeTaint(vocabulary),
    createPodPriority(options),
    createDefaultTolerations(vocabulary),
    createDefaultStorageClass(options),
    createInUseProtection(vocabulary),
    createClaimResize(options),
    createRuntimeClass(options),
  ];
}
