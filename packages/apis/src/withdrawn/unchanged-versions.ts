import type { Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { leases } from '../leases/leases.ts';
import { clusterRoleBindings, roleBindings } from '../rbac/role-bindings.ts';
import { clusterRoles, roles } from '../rbac/roles.ts';
import { ingressClasses } from '../workloads/networking/ingress-classes.ts';
import { runtimeClasses } from '../workloads/node/runtime-classes.ts';
import { priorityClasses } from '../workloads/scheduling/priority-classes.ts';
import { csiDrivers } from '../workloads/storage/csi-drivers.ts';
import { csiNodes } from '../workloads/storage/csi-nodes.ts';
import { csiStorageCapacities } from '../workloads/storage/csi-storage-capacities.ts';
import { storageClasses } from '../workloads/storage/storage-classes.ts';
import { volumeAttachments } from '../workloads/storage/volume-attachments.ts';
import { type WithdrawnVersion, withdrawnVersion } from './withdrawn-version.ts';

/** Kinds whose last beta had the same fields and defaults. */
const KINDS: readonly ((vocabulary: Vocabulary) => ResourceDefinition)[] = [
  ingressClasses,
  leases,
  clusterRoles,
  clusterRoleBindings,
  roles,
  roleBindings,
  priorityClasses,
  runtimeClasses,
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  storageClasses,
  volumeAttachments,
];

/** Kinds whose alpha had them, too. */
const ALPHA_KINDS: typeof KINDS = [
  clusterRoles,
  roles,
  priorityClasses,
  csiStorageCapacities,
  volumeAttachments,
];

/** Versions that were replaced by stable ones without any change. */
export function unchangedVersions(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  return [
    ...KINDS.map((kind) => withdrawnVersion(kind(vocabulary), { version: 'v1beta1' })),
    ...ALPHA_KINDS.map((kind) => withdrawnVersion(kind(vocabulary), { version: 'v1alpha1' })),
  ];
}
