import type { Schema } from '@ashlar/core';
import { objectReference } from '../../../core/object-reference.ts';
import { kindSchema } from '../../../types/kind-schema.ts';
import { atomic, optional, string, time, type } from '../../../types/schema-fields.ts';
import {
  among,
  embedded,
  ofItemsAmong,
  part,
  quantities,
  textOf,
  texts,
  textsOf,
  withDefault,
} from '../../shape-fields.ts';
import { ACCESS_MODES, RECLAIM_POLICIES, VOLUME_MODES } from '../shared/enumerations.ts';
import { volumeNodeAffinity } from './node-selector.ts';
import { persistentVolumeSource } from './persistent-volume-sources.ts';

// Persistent volumes.

const specFields = {
  capacity: quantities(1),
  ...embedded(2, persistentVolumeSource),
  accessModes: ofItemsAmong(textsOf(3, 'api.core.v1.PersistentVolumeAccessMode', atomic), ACCESS_MODES),
  claimRef: optional({ ...part(4, objectReference), mapType: 'granular' }),
  persistentVolumeReclaimPolicy: among(
    textOf(5, 'api.core.v1.PersistentVolumeReclaimPolicy'),
    RECLAIM_POLICIES,
  ),
  storageClassName: string(6),
  mountOptions: texts(7, atomic),
  volumeMode: among(optional(textOf(8, 'api.core.v1.PersistentVolumeMode')), VOLUME_MODES),
  nodeAffinity: optional(part(9, volumeNodeAffinity)),
  volumeAttributesClassName: optional(string(10)),
};

/** Schema of `PersistentVolumeSpec` in other kinds: only volumes themselves set defaults. */
export const persistentVolumeSpec: Schema = type('api.core.v1.PersistentVolumeSpec', specFields);

const ownSpec: Schema = type('api.core.v1.PersistentVolumeSpec', {
  ...specFields,
  persistentVolumeReclaimPolicy: withDefault(specFields.persistentVolumeReclaimPolicy, 'Retain'),
  volumeMode: withDefault(specFields.volumeMode, 'Filesystem'),
});

const persistentVolumeStatus = type('api.core.v1.PersistentVolumeStatus', {
  phase: among(withDefault(textOf(1, 'api.core.v1.PersistentVolumePhase'), 'Pending'), [
    'Available',
    'Bound',
    'Failed',
    'Pending',
    'Released',
  ]),
  message: string(2),
  reason: string(3),
  lastPhaseTransitionTime: optional(time(4)),
});

/** Schema of `PersistentVolume`. */
export const persistentVolumeSchema: Schema = kindSchema(
  'api.core.v1.PersistentVolume',
  'Storage of the cluster.',
  {
    spec: part(2, ownSpec),
    status: part(3, persistentVolumeStatus),
  },
);
