import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import {
  atomic,
  keyedBy,
  optional,
  printed,
  string,
  stringMap,
  time,
  type,
} from '../../../types/schema-fields.ts';
import {
  among,
  listOf,
  ofItemsAmong,
  ofValuesAmong,
  part,
  quantities,
  texts,
  withDefault,
} from '../../shape-fields.ts';
import { ACCESS_MODES, VOLUME_MODES } from '../shared/enumerations.ts';
import { labelSelector } from '../shared/label-selector.ts';
import { typedLocalObjectReference, typedObjectReference } from '../shared/references.ts';
import { volumeResourceRequirements } from './resource-requirements.ts';

// Claims of persistent volumes.

/** Schema of `PersistentVolumeClaimSpec`. */
export const persistentVolumeClaimSpec: Schema = type('api.core.v1.PersistentVolumeClaimSpec', {
  accessModes: ofItemsAmong(texts(1, atomic), ACCESS_MODES),
  selector: optional(part(4, labelSelector)),
  resources: part(2, volumeResourceRequirements),
  volumeName: string(3),
  storageClassName: optional(string(5)),
  volumeMode: among(withDefault(optional(string(6)), 'Filesystem'), VOLUME_MODES),
  dataSource: optional(part(7, typedLocalObjectReference)),
  dataSourceRef: optional(part(8, typedObjectReference)),
  volumeAttributesClassName: optional(string(9)),
});

const modifyVolumeStatus = type(
  'api.core.v1.ModifyVolumeStatus',
  {
    targetVolumeAttributesClassName: string(1),
    status: among(printed(string(2)), ['InProgress', 'Infeasible', 'Pending']),
  },
  { required: ['status'] },
);

const persistentVolumeClaimCondition = type(
  'api.core.v1.PersistentVolumeClaimCondition',
  {
    type: printed(string(1)),
    status: printed(string(2)),
    lastProbeTime: time(3),
    lastTransitionTime: time(4),
    reason: string(5),
    message: string(6),
  },
  { required: ['type', 'status'] },
);

const persistentVolumeClaimStatus = type('api.core.v1.PersistentVolumeClaimStatus', {
  phase: among(withDefault(string(1), 'Pending'), ['Bound', 'Lost', 'Pending']),
  accessModes: ofItemsAmong(texts(2, atomic), ACCESS_MODES),
  capacity: quantities(3),
  conditions: listOf(4, persistentVolumeClaimCondition, keyedBy('type')),
  allocatedResources: quantities(5),
  allocatedResourceStatuses: ofValuesAmong({ ...stringMap(7), mapType: 'granular' }, [
    'ControllerResizeInProgress',
    'ControllerResizeInfeasible',
    'NodeResizeInProgress',
    'NodeResizeInfeasible',
    'NodeResizePending',
  ]),
  currentVolumeAttributesClassName: optional(string(8)),
  modifyVolumeStatus: optional(part(9, modifyVolumeStatus)),
});

/** Schema of `PersistentVolumeClaim`. */
export const persistentVolumeClaimSchema: Schema = kindSchema(
  'api.core.v1.PersistentVolumeClaim',
  'A request for storage, and the storage that met it.',
  {
    spec: part(2, persistentVolumeClaimSpec),
    status: part(3, persistentVolumeClaimStatus),
  },
);
