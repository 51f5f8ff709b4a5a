import type { Schema } from '@ashlar/core';
import { localObjectReference } from '../../../core/object-reference.ts';
import {
  atomic,
  boolean,
  int32,
  int64,
  optional,
  printed,
  string,
  type,
} from '../../../types/schema-fields.ts';
import { embedded, listOf, part, withDefault } from '../../shape-fields.ts';
import { labelSelector } from '../shared/label-selector.ts';
import { objectFieldSelector, resourceFieldSelector } from './environment.ts';

// Volumes of several sources.

/** Schema of `KeyToPath`. */
export const keyToPath: Schema = type(
  'api.core.v1.KeyToPath',
  {
    key: printed(string(1)),
    path: printed(string(2)),
    mode: optional(int32(3)),
  },
  { required: ['key', 'path'] },
);

const secretProjection = type('api.core.v1.SecretProjection', {
  ...embedded(1, localObjectReference),
  items: listOf(2, keyToPath, atomic),
  optional: optional(boolean(4)),
});

/** Schema of `DownwardAPIVolumeFile`. */
export const downwardApiVolumeFile: Schema = type(
  'api.core.v1.DownwardAPIVolumeFile',
  {
    path: printed(string(1)),
    fieldRef: optional(part(2, objectFieldSelector)),
    resourceFieldRef: optional(part(3, resourceFieldSelector)),
    mode: optional(int32(4)),
  },
  { required: ['path'] },
);

const downwardApiProjection = type('api.core.v1.DownwardAPIProjection', {
  items: listOf(1, downwardApiVolumeFile, atomic),
});

const configMapProjection = type('api.core.v1.ConfigMapProjection', {
  ...embedded(1, localObjectReference),
  items: listOf(2, keyToPath, atomic),
  optional: optional(boolean(4)),
});

const serviceAccountTokenProjection = type(
  'api.core.v1.ServiceAccountTokenProjection',
  {
    audience: string(1),
    expirationSeconds: withDefault(optional(int64(2)), 3600),
    path: printed(string(3)),
  },
  { required: ['path'] },
);

const clusterTrustBundleProjection = type(
  'api.core.v1.ClusterTrustBundleProjection',
  {
    name: optional(string(1)),
    signerName: optional(string(2)),
    labelSelector: optional(part(3, labelSelector)),
    optional: optional(boolean(5)),
    path: printed(string(4)),
  },
  { required: ['path'] },
);

const volumeProjection = type('api.core.v1.VolumeProjection', {
  secret: optional(part(1, secretProjection)),
  downwardAPI: optional(part(2, downwardApiProjection)),
  configMap: optional(part(3, configMapProjection)),
  serviceAccountToken: optional(part(4, serviceAccountTokenProjection)),
  clusterTrustBundle: optional(part(5, clusterTrustBundleProjection)),
});

/** Schema of `ProjectedVolumeSource`. */
export const projectedVolumeSource: Schema = type('api.core.v1.ProjectedVolumeSource', {
  sources: printed(listOf(1, volumeProjection, atomic)),
  defaultMode: withDefault(optional(int32(2)), 0o644),
});
