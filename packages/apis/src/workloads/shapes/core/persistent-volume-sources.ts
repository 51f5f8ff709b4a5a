import type { Schema } from '@ashlar/core';
import { objectReference } from '../../../core/object-reference.ts';
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
import { part, texts, withPublishedDefault } from '../../shape-fields.ts';
import { secretReference } from '../shared/references.ts';
import {
  awsElasticBlockStoreVolumeSource,
  azureDiskVolumeSource,
  fcVolumeSource,
  flockerVolumeSource,
  gcePersistentDiskVolumeSource,
  hostPathVolumeSource,
  nfsVolumeSource,
  photonPersistentDiskVolumeSource,
  portworxVolumeSource,
  quobyteVolumeSource,
  vsphereVirtualDiskVolumeSource,
} from './volume-sources.ts';

// Sources of persistent volumes, whose secrets may be in any namespace.

const localVolumeSource = type(
  'api.core.v1.LocalVolumeSource',
  {
    path: printed(string(1)),
    fsType: optional(string(2)),
  },
  { required: ['path'] },
);

const azureFilePersistentVolumeSource = type(
  'api.core.v1.AzureFilePersistentVolumeSource',
  {
    secretName: printed(string(1)),
    shareName: printed(string(2)),
    readOnly: boolean(3),
    secretNamespace: printed(optional(string(4))),
  },
  { required: ['secretName', 'shareName'] },
);

const cephFSPersistentVolumeSource = type(
  'api.core.v1.CephFSPersistentVolumeSource',
  {
    monitors: printed(texts(1, atomic)),
    path: string(2),
    user: string(3),
    secretFile: string(4),
    secretRef: optional(part(5, secretReference)),
    readOnly: boolean(6),
  },
  { required: ['monitors'] },
);

const cinderPersistentVolumeSource = type(
  'api.core.v1.CinderPersistentVolumeSource',
  {
    volumeID: printed(string(1)),
    fsType: string(2),
    readOnly: boolean(3),
    secretRef: optional(part(4, secretReference)),
  },
  { required: ['volumeID'] },
);

const csiPersistentVolumeSource = type(
  'api.core.v1.CSIPersistentVolumeSource',
  {
    driver: printed(string(1)),
    volumeHandle: printed(string(2)),
    readOnly: boolean(3),
    fsType: string(4),
    volumeAttributes: stringMap(5),
    controllerPublishSecretRef: optional(part(6, secretReference)),
    nodeStageSecretRef: optional(part(7, secretReference)),
    nodePublishSecretRef: optional(part(8, secretReference)),
    controllerExpandSecretRef: optional(part(9, secretReference)),
    nodeExpandSecretRef: optional(part(10, secretReference)),
  },
  { required: ['driver', 'volumeHandle'] },
);

const flexPersistentVolumeSource = type(
  'api.core.v1.FlexPersistentVolumeSource',
  {
    driver: printed(string(1)),
    fsType: string(2),
    secretRef: optional(part(3, secretReference)),
    readOnly: boolean(4),
    options: stringMap(5),
  },
  { required: ['driver'] },
);

const glusterfsPersistentVolumeSource = type(
  'api.core.v1.GlusterfsPersistentVolumeSource',
  {
    endpoints: printed(string(1)),
    path: printed(string(2)),
    readOnly: boolean(3),
    endpointsNamespace: optional(string(4)),
  },
  { required: ['endpoints', 'path'] },
);

const iscsiPersistentVolumeSource = type(
  'api.core.v1.ISCSIPersistentVolumeSource',
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
    secretRef: optional(part(10, secretReference)),
    initiatorName: optional(string(12)),
  },
  { required: ['targetPortal', 'iqn', 'lun'] },
);

const rbdPersistentVolumeSource = type(
  'api.core.v1.RBDPersistentVolumeSource',
  {
    monitors: printed(texts(1, atomic)),
    image: printed(string(2)),
    fsType: string(3),
    pool: withPublishedDefault(string(4), 'rbd'),
    user: withPublishedDefault(string(5), 'admin'),
    keyring: withPublishedDefault(string(6), '/etc/ceph/keyring'),
    secretRef: optional(part(7, secretReference)),
    readOnly: boolean(8),
  },
  { required: ['monitors', 'image'] },
);

const scaleIOPersistentVolumeSource = type(
  'api.core.v1.ScaleIOPersistentVolumeSource',
  {
    gateway: printed(string(1)),
    system: printed(string(2)),
    secretRef: printed(optional(part(3, secretReference))),
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

const storageOsPersistentVolumeSource = type('api.core.v1.StorageOSPersistentVolumeSource', {
  volumeName: string(1),
  volumeNamespace: string(2),
  fsType: string(3),
  readOnly: boolean(4),
  secretRef: optional(part(5, objectReference)),
});

/** Schema of `PersistentVolumeSource`. */
export const persistentVolumeSource: Schema = type('api.core.v1.PersistentVolumeSource', {
  gcePersistentDisk: optional(part(1, gcePersistentDiskVolumeSource)),
  awsElasticBlockStore: optional(part(2, awsElasticBlockStoreVolumeSource)),
  hostPath: optional(part(3, hostPathVolumeSource)),
  glusterfs: optional(part(4, glusterfsPersistentVolumeSource)),
  nfs: optional(part(5, nfsVolumeSource)),
  rbd: optional(part(6, rbdPersistentVolumeSource)),
  iscsi: optional(part(7, iscsiPersistentVolumeSource)),
  cinder: optional(part(8, cinderPersistentVolumeSource)),
  cephfs: optional(part(9, cephFSPersistentVolumeSource)),
  fc: optional(part(10, fcVolumeSource)),
  flocker: optional(part(11, flockerVolumeSource)),
  flexVolume: optional(part(12, flexPersistentVolumeSource)),
  azureFile: optional(part(13, azureFilePersistentVolumeSource)),
  vsphereVolume: optional(part(14, vsphereVirtualDiskVolumeSource)),
  quobyte: optional(part(15, quobyteVolumeSource)),
  azureDisk: optional(part(16, azureDiskVolumeSource)),
  photonPersistentDisk: optional(part(17, photonPersistentDiskVolumeSource)),
  portworxVolume: optional(part(18, portworxVolumeSource)),
  scaleIO: optional(part(19, scaleIOPersistentVolumeSource)),
  local: optional(part(20, localVolumeSource)),
  storageos: optional(part(21, storageOsPersistentVolumeSource)),
  csi: optional(part(22, csiPersistentVolumeSource)),
});
