import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { atomic, keyedBy, optional, printed, string, time, type } from '../../../types/schema-fields.ts';
import {
  among,
  listOf,
  mapOf,
  ofItemsAmong,
  ofValuesAmong,
  part,
  quantities,
  textOf,
  textsOf,
  withDefault,
} from '../../shape-fields.ts';
import { ACCESS_MODES, VOLUME_MODES } from '../shared/enumerations.ts';
import { labelSelector } from '../shared/label-selector.ts';
import { typedLocalObjectReference, typedObjectReference } from '../shared/references.ts';
import { volumeResourceRequirements } from './resource-requirements.ts';

// Claims of persistent volumes.

/** Schema of `PersistentVolumeClaimSpec`. */
export const persistentVolumeClaimSpec: Schema = type('api.core.v1.PersistentVolumeClaimSpec', {
  accessModes: ofItemsAmong(textsOf(1, 'api.core.v1.PersistentVolumeAccessMode', atomic), ACCESS_MODES),
  selector: optional(part(4, labelSelector)),
  resources: part(2, volumeResourceRequirements),
  volumeName: string(3),
  storageClassName: optional(string(5)),
  volumeMode: among(
    withDefault(optional(textOf(6, 'api.core.v1.PersistentVolumeMode')), 'Filesystem'),
    VOLUME_MODES,
  ),
  dataSource: optional(part(7, typedLocalObjectReference)),
  dataSourceRef: optional(part(8, typedObjectReference)),
  volumeAttributesClassName: optional(string(9)),
});

const modifyVolumeStatus = type(
  'api.core.v1.ModifyVolumeStatus',
  {
    targetVolumeAttributesClassName: string(1),
    status: among(printed(textOf(2, 'api.core.v1.PersistentVolumeClaimModifyVolumeStatus')), [
      'InProgress',
      'Infeasible',
      'Pending',
    ]),
  },
  { required: ['status'] },
);

const persistentVolumeClaimCondition = type(
  'api.core.v1.PersistentVolumeClaimCondition',
  {
    type: printed(textOf(1, 'api.core.v1.PersistentVolumeClaimConditionType')),
    status: printed(textOf(2, 'api.core.v1.ConditionStatus')),
    lastProbeTime: time(3),
    lastTransitionTime: time(4),
    reason: string(5),
    message: string(6),
  },
  { required: ['type', 'status'] },
);

const persistentVolumeClaimStatus = type('api.core.v1.PersistentVolumeClaimStatus', {
  phase: among(withDefault(textOf(1, 'api.core.v1.PersistentVolumeClaimPhase'), 'Pending'), [
    'Bound',
    'Lost',
    'Pending',
  ]),
  accessModes: ofItemsAmong(textsOf(2, 'api.core.v1.PersistentVolumeAccessMode', atomic), ACCESS_MODES),
  capacity: quantities(3),
  conditions: listOf(4, persistentVolumeClaimCondition, keyedBy('type')),
  allocatedResources: quantities(5),
  allocatedResourceStatuses: ofValuesAmong(
    {
      ...mapOf(7, { type: 'string', typeName: 'api.core.v1.ClaimResourceStatus', default: '' }),
      mapType: 'granular',
    },
    [
      'ControllerResizeInProgress',
      'ControllerResizeInfeasible',
      'NodeResizeInProgress',
      'NodeResizeInfeasible',
      'NodeResizePending',
    ],
  ),
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
