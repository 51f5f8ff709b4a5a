import type { ApiObject, FieldError, Steps, Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn, wide } from '../../types/columns.ts';
import { orElse } from '../cells.ts';
import { nodeSelectorAheadSteps } from '../pods/node-selectors.ts';
import { persistentVolumeSchema } from '../shapes/core/persistent-volume.ts';
import { workloadType } from '../workload-type.ts';
import { accessModesText, storageClassText } from './volume-columns.ts';
import { mountOptionErrors, volumeWarnings } from './volume-deprecations.ts';
import { type VolumeSpec, volumeChangeErrors, volumeSpecErrors } from './volume-validation.ts';

/** Storage of the cluster. */
interface PersistentVolume extends ApiObject {
  readonly spec?: VolumeSpec;
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly lastPhaseTransitionTime?: string;
  };
}

/** Persistent volumes. */
export function persistentVolumes(vocabulary: Vocabulary): ResourceDefinition {
  const { labelDomain } = vocabulary;
  function* specSteps({ metadata, spec = {} }: PersistentVolume): Steps<readonly FieldError[]> {
    yield* nodeSelectorAheadSteps(spec.nodeAffinity?.required);
    return volumeSpecErrors(spec, metadata.name ?? '');
  }
  function* validateSteps(volume: PersistentVolume): Steps<readonly FieldError[]> {
    const { metadata, spec = {} } = volume;
    return [...(yield* specSteps(volume)), ...mountOptionErrors(metadata, spec, vocabulary)];
  }
  return workloadType({
    group: '',
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    shortNames: ['pv'],
    scope: 'Cluster',
    schema: persistentVolumeSchema,
    columns: [
      nameColumn,
      column(
        'Capacity',
        'How much it holds.',
        ({ spec }: PersistentVolume) => spec?.capacity?.storage ?? '0',
      ),
      column('Access Modes', 'How it may be mounted.', ({ spec }: PersistentVolume) =>
        accessModesText(spec?.accessModes ?? []),
      ),
      column(
        'Reclaim Policy',
        'What becomes of it when its claim goes.',
        ({ spec }: PersistentVolume) => spec?.persistentVolumeReclaimPolicy ?? '',
      ),
      column('Status', 'Whether it is in use.', ({ metadata, status }: PersistentVolume) =>
        metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating',
      ),
      column('Claim', 'The claim that has it.', claimText),
      column('StorageClass', 'Its kind of storage.', ({ metadata, spec }: PersistentVolume) =>
        storageClassText(metadata.annotations, spec?.storageClassName, labelDomain),
      ),
      column('VolumeAttributesClass', 'Its class of attributes.', ({ spec }: PersistentVolume) =>
        orElse(spec?.volumeAttributesClassName, '<unset>'),
      ),
      column('Reason', 'Why it is as it is.', ({ status }: PersistentVolume) => status?.reason ?? ''),
      ageColumn,
      wide(
        column('VolumeMode', 'File system or block device.', ({ spec }: PersistentVolume) =>
          orElse(spec?.volumeMode, '<unset>'),
        ),
      ),
    ],
    status: { prepare: withTransitionTime },
    strategy: {
      updateChecks: ['metadata', 'object', 'metadata'],
      returnsDeletedObject: true,
      prepareForCreate: (volume: PersistentVolume) => withoutNewClass(pending(volume)),
      prepareForUpdate: withoutNewClass,
      warnings: ({ metadata, spec = {} }: PersistentVolume) => volumeWarnings(metadata, spec, vocabulary),
      validateSteps,
      *validateUpdateSteps(volume: PersistentVolume, stored: PersistentVolume) {
        // an update reports errors of the spec a second time, and those of the annotation once
        const errors = yield* specSteps(volume);
        return [...errors, ...volumeChangeErrors(volume.spec ?? {}, stored.spec ?? {}, vocabulary)];
      },
    },
  });
}

function claimText({ spec = {} }: PersistentVolume): string {
  const { claimRef } = spec;
  return claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : '';
}

/** The creation time is the only time known for a new object. */
const pending = (volume: PersistentVolume): ApiObject => ({
  ...volume,
  status: { phase: 'Pending', lastPhaseTransitionTime: volume.metadata.creationTimestamp },
});

/** Classes of attributes are off: a volume that has none gets none. */
function withoutNewClass(volume: PersistentVolume, stored?: PersistentVolume): ApiObject {
  if (volume.spec?.volumeAttributesClassName === undefined) return volume;
  if (stored?.spec?.volumeAttributesClassName !== undefined) return volume;
  const { volumeAttributesClassName: _, ...spec } = volume.spec;
  return { ...volume, spec } as ApiObject;
}

/** The time of the last transition is the writer's. If absent, or kept in a transition, it is that of the write. */
function withTransitionTime(volume: PersistentVolume, stored: PersistentVolume, now: string): ApiObject {
  const { status = {} } = volume;
  const { phase, lastPhaseTransitionTime: before } = stored.status ?? {};
  const { lastPhaseTransitionTime: written = before } = status;
  const isTransition = status.phase !== phase;
  const time = isTransition && written === before ? now : written;
  return time === undefined ? volume : { ...volume, status: { ...status, lastPhaseTransitionTime: time } };
}
