import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  parseQuantity,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn, wide } from '../../types/columns.ts';
import { orElse } from '../cells.ts';
import { optionalOneOf, unchanged } from '../field-rules.ts';
import { persistentVolumeSchema } from '../shapes/core/persistent-volume.ts';
import { persistentVolumeSource } from '../shapes/core/persistent-volume-sources.ts';
import { workloadType } from '../workload-type.ts';
import type { ResourceList } from './pod-types.ts';
import { ACCESS_MODES, accessModesText, storageClassText } from './volume-columns.ts';

interface PersistentVolumeSpec {
  readonly capacity?: ResourceList;
  readonly accessModes?: readonly string[];
  readonly claimRef?: { readonly namespace?: string; readonly name?: string };
  readonly persistentVolumeReclaimPolicy?: string;
  readonly storageClassName?: string;
  readonly volumeMode?: string;
  readonly volumeAttributesClassName?: string;
  readonly [source: string]: unknown;
}

/** Storage of the cluster. */
interface PersistentVolume extends ApiObject {
  readonly spec?: PersistentVolumeSpec;
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly lastPhaseTransitionTime?: string;
  };
}

/** Persistent volumes. */
export function persistentVolumes({ labelDomain }: Vocabulary): ResourceDefinition {
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
        accessModesText(spec?.accessModes),
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
      updateChecks: ['whole', 'whole'],
      returnsDeletedObject: true,
      prepareForCreate: pending,
      validate,
      validateUpdate: (volume, stored) => [...validate(volume), ...changeErrors(volume, stored)],
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

/** Without a clock the transition time is the writer's; if absent, it stays. */
function withTransitionTime(volume: PersistentVolume, stored: PersistentVolume): ApiObject {
  const { status = {} } = volume;
  const before = stored.status?.lastPhaseTransitionTime;
  if (status.lastPhaseTransitionTime !== undefined || before === undefined) return volume;
  return { ...volume, status: { ...status, lastPhaseTransitionTime: before } };
}

const SOURCES: readonly string[] = Object.keys(persistentVolumeSource.properties ?? {});

const sourcesOf = (spec: PersistentVolumeSpec): readonly string[] =>
  SOURCES.filter((source) => spec[source] !== undefined);

function validate({ spec = {} }: PersistentVolume): readonly FieldError[] {
  const { capacity = {}, accessModes = [], persistentVolumeReclaimPolicy } = spec;
  const [first, ...more] = sourcesOf(spec);
  return [
    ...(accessModes.length === 0 ? [FieldErrors.required('spec.accessModes')] : []),
    ...accessModes.flatMap((mode) =>
      ACCESS_MODES.includes(mode) ? [] : [FieldErrors.notSupported('spec.accessModes', mode, ACCESS_MODES)],
    ),
    ...capacityErrors(capacity),
    ...optionalOneOf('spec.persistentVolumeReclaimPolicy', persistentVolumeReclaimPolicy, [
      'Delete',
      'Recycle',
      'Retain',
    ]),
    ...more.map((source) =>
      FieldErrors.forbidden(`spec.${source}`, 'may not specify more than 1 volume type'),
    ),
    ...(first === undefined ? [FieldErrors.required('spec', 'must specify a volume type')] : []),
  ];
}

function capacityErrors(capacity: ResourceList): readonly FieldError[] {
  const names = Object.keys(capacity);
  const zero = parseQuantity('0');
  return [
    ...(names.length === 0 ? [FieldErrors.required('spec.capacity')] : []),
    ...(capacity.storage === undefined || names.length > 1
      ? [FieldErrors.notSupported('spec.capacity', capacity, ['storage'])]
      : []),
    ...Object.entries(capacity).flatMap(([name, amount]) =>
      parseQuantity(amount).compare(zero) > 0
        ? []
        : [FieldErrors.invalid(`spec.capacity[${name}]`, amount, 'must be greater than zero')],
    ),
  ];
}

function changeErrors(volume: PersistentVolume, stored: PersistentVolume): readonly FieldError[] {
  const parts = ({ spec = {} }: PersistentVolume): JsonObject =>
    Object.fromEntries(sourcesOf(spec).map((source) => [source, spec[source] as JsonValue]));
  return [
    ...(jsonEqual(parts(volume), parts(stored))
      ? []
      : [
          FieldErrors.forbidden(
            'spec.persistentvolumesource',
            'spec.persistentvolumesource is immutable after creation\n',
          ),
        ]),
    ...unchanged('spec.volumeMode', volume.spec?.volumeMode, stored.spec?.volumeMode),
  ];
}
