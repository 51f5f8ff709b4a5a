import type { Schema } from '@ashlar/core';
import { localObjectReference } from '../../../core/object-reference.ts';
import {
  atomic,
  boolean,
  int32,
  optional,
  printed,
  string,
  stringMap,
  type,
} from '../../../types/schema-fields.ts';
import { among, part, textOf, texts, withDefault, withPublishedDefault } from '../../shape-fields.ts';
import { CACHING_MODES, DISK_KINDS, HOST_PATH_TYPES } from '../shared/enumerations.ts';

// Volumes outside the pod; secrets are in the same namespace.

/** Schema of `HostPathVolumeSource`. */
export const hostPathVolumeSource: Schema = type(
  'api.core.v1.HostPathVolumeSource',
  {
    path: printed(string(1)),
    type: among(withDefault(optional(textOf(2, 'api.core.v1.HostPathType')), ''), HOST_PATH_TYPES),
  },
  { required: ['path'] },
);

/** Schema of `GCEPersistentDiskVolumeSource`. */
export const gcePersistentDiskVolumeSource: Schema = type(
  'api.core.v1.GCEPersistentDiskVolumeSource',
  {
    pdName: printed(string(1)),
    fsType: string(2),
    partition: int32(3),
    readOnly: boolean(4),
  },
  { required: ['pdName'] },
);

/** Schema of `AWSElasticBlockStoreVolumeSource`. */
export const awsElasticBlockStoreVolumeSource: Schema = type(
  'api.core.v1.AWSElasticBlockStoreVolumeSource',
  {
    volumeID: printed(string(1)),
    fsType: string(2),
    partition: int32(3),
    readOnly: boolean(4),
  },
  { required: ['volumeID'] },
);

/** Schema of `NFSVolumeSource`. */
export const nfsVolumeSource: Schema = type(
  'api.core.v1.NFSVolumeSource',
  {
    server: printed(string(1)),
    path: printed(string(2)),
    readOnly: boolean(3),
  },
  { required: ['server', 'path'] },
);

/** Schema of `CephFSVolumeSource`. */
export const cephFSVolumeSource: Schema = type(
  'api.core.v1.CephFSVolumeSource',
  {
    monitors: printed(texts(1, atomic)),
    path: string(2),
    user: string(3),
    secretFile: string(4),
    secretRef: optional(part(5, localObjectReference)),
    readOnly: boolean(6),
  },
  { required: ['monitors'] },
);

/** Schema of `FCVolumeSource`. */
export const fcVolumeSource: Schema = type('api.core.v1.FCVolumeSource', {
  targetWWNs: texts(1, atomic),
  lun: optional(int32(2)),
  fsType: string(3),
  readOnly: boolean(4),
  wwids: texts(5, atomic),
});

/** Schema of `FlockerVolumeSource`. */
export const flockerVolumeSource: Schema = type('api.core.v1.FlockerVolumeSource', {
  datasetName: string(1),
  datasetUUID: string(2),
});

/** Schema of `AzureFileVolumeSource`. */
export const azureFileVolumeSource: Schema = type(
  'api.core.v1.AzureFileVolumeSource',
  {
    secretName: printed(string(1)),
    shareName: printed(string(2)),
    readOnly: boolean(3),
  },
  { required: ['secretName', 'shareName'] },
);

/** Schema of `VsphereVirtualDiskVolumeSource`. */
export const vsphereVirtualDiskVolumeSource: Schema = type(
  'api.core.v1.VsphereVirtualDiskVolumeSource',
  {
    volumePath: printed(string(1)),
    fsType: string(2),
    storagePolicyName: string(3),
    storagePolicyID: string(4),
  },
  { required: ['volumePath'] },
);

/** Schema of `QuobyteVolumeSource`. */
export const quobyteVolumeSource: Schema = type(
  'api.core.v1.QuobyteVolumeSource',
  {
    registry: printed(string(1)),
    volume: printed(string(2)),
    readOnly: boolean(3),
    user: string(4),
    group: string(5),
    tenant: string(6),
  },
  { required: ['registry', 'volume'] },
);

/** Schema of `AzureDiskVolumeSource`. */
export const azureDiskVolumeSource: Schema = type(
  'api.core.v1.AzureDiskVolumeSource',
  {
    diskName: printed(string(1)),
    diskURI: printed(string(2)),
    cachingMode: among(
      withPublishedDefault(optional(textOf(3, 'api.core.v1.AzureDataDiskCachingMode')), 'ReadWrite'),
      CACHING_MODES,
    ),
    fsType: withPublishedDefault(optional(string(4)), 'ext4'),
    readOnly: withPublishedDefault(optional(boolean(5)), false),
    kind: among(
      withPublishedDefault(optional(textOf(6, 'api.core.v1.AzureDataDiskKind')), 'Shared'),
      DISK_KINDS,
    ),
  },
  { required: ['diskName', 'diskURI'] },
);

/** Schema of `PhotonPersistentDiskVolumeSource`. */
export const photonPersistentDiskVolumeSource: Schema = type(
  'api.core.v1.PhotonPersistentDiskVolumeSource',
  {
    pdID: printed(string(1)),
    fsType: string(2),
  },
  { required: ['pdID'] },
);

/** Schema of `PortworxVolumeSource`. */
export const portworxVolumeSource: Schema = type(
  'api.core.v1.PortworxVolumeSource',
  {
    volumeID: printed(string(1)),
    fsType: string(2),
    readOnly: boolean(3),
  },
  { required: ['volumeID'] },
);

/** Schema of `ISCSIVolumeSource`. */
export const iscsiVolumeSource: Schema = type(
  'api.core.v1.ISCSIVolumeSource',
  {
    targetPortal: printed(string(1)),
    iqn: printed(string(2)),
    lun: printed(int32(3)),
    iscsiInterface: withPublishedDefault(string(4), 'default'),
    fsType: string(5),
    readOnly: boolean(6),
    portals: texts(7, atomic),
    chapAuthDiscovery: boolean(8),
    chapAuthSession: boolean(11),
    secretRef: optional(part(10, localObjectReference)),
    initiatorName: optional(string(12)),
  },
  { required: ['targetPortal', 'iqn', 'lun'] },
);

/** Schema of `RBDVolumeSource`. */
export const rbdVolumeSource: Schema = type(
  'api.core.v1.RBDVolumeSource',
  {
    monitors: printed(texts(1, atomic)),
    image: printed(string(2)),
    fsType: string(3),
    pool: withPublishedDefault(string(4), 'rbd'),
    user: withPublishedDefault(string(5), 'admin'),
    keyring: withPublishedDefault(string(6), '/etc/ceph/keyring'),
    secretRef: optional(part(7, localObjectReference)),
    readOnly: boolean(8),
  },
  { required: ['monitors', 'image'] },
);

/** Schema of `FlexVolumeSource`. */
export const flexVolumeSource: Schema = type(
  'api.core.v1.FlexVolumeSource',
  {
    driver: printed(string(1)),
    fsType: string(2),
    secretRef: optional(part(3, localObjectReference)),
    readOnly: boolean(4),
    options: stringMap(5),
  },
  { required: ['driver'] },
);

/** Schema of `CinderVolumeSource`. */
export const cinderVolumeSource: Schema = type(
  'api.core.v1.CinderVolumeSource',
  {
    volumeID: printed(string(1)),
    fsType: string(2),
    readOnly: boolean(3),
    secretRef: optional(part(4, localObjectReference)),
  },
  { required: ['volumeID'] },
);

/** Schema of `ScaleIOVolumeSource`. */
export const scaleIOVolumeSource: Schema = type(
  'api.core.v1.ScaleIOVolumeSource',
  {
    gateway: printed(string(1)),
    system: printed(string(2)),
    secretRef: printed(optional(part(3, localObjectReference))),
    sslEnabled: boolean(4),
    protectionDomain: string(5),
    storagePool: string(6),
    storageMode: withPublishedDefault(string(7), 'ThinProvisioned'),
    volumeName: string(8),
    fsType: withPublishedDefault(string(9), 'xfs'),
    readOnly: boolean(10),
  },
  { required: ['gateway', 'system', 'secretRef'] },
);

/** Schema of `StorageOSVolumeSource`. */
export const storageOsVolumeSource: Schema = type('api.core.v1.StorageOSVolumeSource', {
  volumeName: string(1),
  volumeNamespace: string(2),
  fsType: string(3),
  readOnly: boolean(4),
  secretRef: optional(part(5, localObjectReference)),
});

/** Schema of `GlusterfsVolumeSource`. */
export const glusterfsVolumeSource: Schema = type(
  'api.core.v1.GlusterfsVolumeSource',
  {
    endpoints: printed(string(1)),
    path: printed(string(2)),
    readOnly: boolean(3),
  },
  { required: ['endpoints', 'path'] },
);

/** Schema of `CSIVolumeSource`. */
export const csiVolumeSource: Schema = type(
  'api.core.v1.CSIVolumeSource',
  {
    driver: printed(string(1)),
    readOnly: optional(boolean(2)),
    fsType: optional(string(3)),
    volumeAttributes: stringMap(4),
    nodePublishSecretRef: optional(part(5, localObjectReference)),
  },
  { required: ['driver'] },
);
