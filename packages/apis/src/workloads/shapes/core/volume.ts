import { objectMetaSchema, type Schema } from '@ashlar/core';
import { localObjectReference } from '../../../core/object-reference.ts';
import { atomic, boolean, int32, optional, printed, string, type } from '../../../types/schema-fields.ts';
import { among, embedded, listOf, part, quantity, textOf, withDefault } from '../../shape-fields.ts';
import { PULL_POLICIES } from '../shared/enumerations.ts';
import { persistentVolumeClaimSpec } from './persistent-volume-claim.ts';
import { downwardApiVolumeFile, keyToPath, projectedVolumeSource } from './projected-volume.ts';
import {
  awsElasticBlockStoreVolumeSource,
  azureDiskVolumeSource,
  azureFileVolumeSource,
  cephFSVolumeSource,
  cinderVolumeSource,
  csiVolumeSource,
  fcVolumeSource,
  flexVolumeSource,
  flockerVolumeSource,
  gcePersistentDiskVolumeSource,
  glusterfsVolumeSource,
  hostPathVolumeSource,
  iscsiVolumeSource,
  nfsVolumeSource,
  photonPersistentDiskVolumeSource,
  portworxVolumeSource,
  quobyteVolumeSource,
  rbdVolumeSource,
  scaleIOVolumeSource,
  storageOsVolumeSource,
  vsphereVirtualDiskVolumeSource,
} from './volume-sources.ts';

// Volumes of pods.

const emptyDirVolumeSource = type('api.core.v1.EmptyDirVolumeSource', {
  medium: textOf(1, 'api.core.v1.StorageMedium'),
  sizeLimit: optional(quantity(2)),
});

const gitRepoVolumeSource = type(
  'api.core.v1.GitRepoVolumeSource',
  {
    repository: printed(string(1)),
    revision: string(2),
    directory: string(3),
  },
  { required: ['repository'] },
);

const secretVolumeSource = type('api.core.v1.SecretVolumeSource', {
  secretName: string(1),
  items: listOf(2, keyToPath, atomic),
  defaultMode: withDefault(optional(int32(3)), 0o644),
  optional: optional(boolean(4)),
});

const configMapVolumeSource = type('api.core.v1.ConfigMapVolumeSource', {
  ...embedded(1, localObjectReference),
  items: listOf(2, keyToPath, atomic),
  defaultMode: withDefault(optional(int32(3)), 0o644),
  optional: optional(boolean(4)),
});

const downwardApiVolumeSource = type('api.core.v1.DownwardAPIVolumeSource', {
  items: listOf(1, downwardApiVolumeFile, atomic),
  defaultMode: withDefault(optional(int32(2)), 0o644),
});

const persistentVolumeClaimVolumeSource = type(
  'api.core.v1.PersistentVolumeClaimVolumeSource',
  {
    claimName: printed(string(1)),
    readOnly: boolean(2),
  },
  { required: ['claimName'] },
);

const persistentVolumeClaimTemplate = type(
  'api.core.v1.PersistentVolumeClaimTemplate',
  {
    metadata: part(1, objectMetaSchema),
    spec: part(2, persistentVolumeClaimSpec),
  },
  { required: ['spec'] },
);

const ephemeralVolumeSource = type('api.core.v1.EphemeralVolumeSource', {
  volumeClaimTemplate: optional(part(1, persistentVolumeClaimTemplate)),
});

const imageVolumeSource = type('api.core.v1.ImageVolumeSource', {
  reference: string(1),
  pullPolicy: among(textOf(2, 'api.core.v1.PullPolicy'), PULL_POLICIES),
});

const volumeSource = type('api.core.v1.VolumeSource', {
  hostPath: optional(part(1, hostPathVolumeSource)),
  emptyDir: optional(part(2, emptyDirVolumeSource)),
  gcePersistentDisk: optional(part(3, gcePersistentDiskVolumeSource)),
  awsElasticBlockStore: optional(part(4, awsElasticBlockStoreVolumeSource)),
  gitRepo: optional(part(5, gitRepoVolumeSource)),
  secret: optional(part(6, secretVolumeSource)),
  nfs: optional(part(7, nfsVolumeSource)),
  iscsi: optional(part(8, iscsiVolumeSource)),
  glusterfs: optional(part(9, glusterfsVolumeSource)),
  persistentVolumeClaim: optional(part(10, persistentVolumeClaimVolumeSource)),
  rbd: optional(part(11, rbdVolumeSource)),
  flexVolume: optional(part(12, flexVolumeSource)),
  cinder: optional(part(13, cinderVolumeSource)),
  cephfs: optional(part(14, cephFSVolumeSource)),
  flocker: optional(part(15, flockerVolumeSource)),
  downwardAPI: optional(part(16, downwardApiVolumeSource)),
  fc: optional(part(17, fcVolumeSource)),
  azureFile: optional(part(18, azureFileVolumeSource)),
  configMap: optional(part(19, configMapVolumeSource)),
  vsphereVolume: optional(part(20, vsphereVirtualDiskVolumeSource)),
  quobyte: optional(part(21, quobyteVolumeSource)),
  azureDisk: optional(part(22, azureDiskVolumeSource)),
  photonPersistentDisk: optional(part(23, photonPersistentDiskVolumeSource)),
  projected: optional(part(26, projectedVolumeSource)),
  portworxVolume: optional(part(24, portworxVolumeSource)),
  scaleIO: optional(part(25, scaleIOVolumeSource)),
  storageos: optional(part(27, storageOsVolumeSource)),
  csi: optional(part(28, csiVolumeSource)),
  ephemeral: optional(part(29, ephemeralVolumeSource)),
  image: optional(part(30, imageVolumeSource)),
});

/** Schema of `Volume`. */
export const volume: Schema = type(
  'api.core.v1.Volume',
  {
    name: printed(string(1)),
    ...embedded(2, volumeSource),
  },
  { required: ['name'] },
);
