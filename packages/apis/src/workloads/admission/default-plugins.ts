import type { AdmissionPlugin } from '@ashlar/admission';
import { createAlwaysPullImages } from './always-pull-images.ts';
import { createDefaultIngressClass } from './default-ingress-class.ts';
import { createDefaultTolerations } from './default-tolerations.ts';
import { createInUseProtection } from './in-use-protection.ts';
import { createLimitRanger } from './limit-ranger.ts';
import { createNewNodeTaint } from './new-node-taint.ts';
import { createPodNodeSelector } from './pod-node-selector.ts';
import { createPodPriority } from './pod-priority.ts';
import {
  createAntiAffinityLimit,
  createExtendedResourceToleration,
  createExternalAddressDenial,
} from './pod-restrictions.ts';
import { createPodTolerationRestriction } from './pod-toleration-restriction.ts';
import { createRuntimeClass } from './runtime-class-of-pods.ts';
import { createClaimResize, createDefaultStorageClass } from './storage-class-of-claims.ts';
import type { WorkloadAdmissionOptions } from './stored-classes.ts';

/** Creates the admission plugins for nodes, pods, volumes and ingresses that a default server runs. */
export function createWorkloadAdmission(options: WorkloadAdmissionOptions): readonly AdmissionPlugin[] {
  const { vocabulary } = options;
  return [
    createLimitRanger(options),
    createNewNodeTaint(vocabulary),
    createPodPriority(options),
    createDefaultTolerations(vocabulary, options.tolerationSeconds),
    createDefaultStorageClass(options),
    createInUseProtection(vocabulary),
    createClaimResize(options),
    createRuntimeClass(options),
    createDefaultIngressClass(options),
  ];
}

/** Creates those for pods and services that run only if they are enabled. */
export function createOptionalWorkloadAdmission(
  options: WorkloadAdmissionOptions,
): readonly AdmissionPlugin[] {
  const { vocabulary, tolerations } = options;
  return [
    createAntiAffinityLimit(vocabulary),
    createAlwaysPullImages(),
    createExtendedResourceToleration(vocabulary),
    createExternalAddressDenial(),
    createPodNodeSelector(options),
    createPodTolerationRestriction({
      ...options,
      ...(tolerations?.default && { defaults: tolerations.default }),
      ...(tolerations?.whitelist && { allowed: tolerations.whitelist }),
    }),
  ];
}
