import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  groupName,
  jsonEqual,
  qualifiedNameErrors,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { named, oneOf, unchanged } from '../field-rules.ts';
import { storageClassSchema } from '../shapes/storage/storage-class.ts';
import { workloadType } from '../workload-type.ts';

/** A class of storage. */
interface StorageClass extends ApiObject {
  readonly provisioner?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly reclaimPolicy?: string;
  readonly volumeBindingMode?: string;
  readonly allowVolumeExpansion?: boolean;
}

/** Classes of storage. */
export function storageClasses(vocabulary: Vocabulary): ResourceDefinition {
  const { labelDomain } = vocabulary;
  return workloadType({
    group: groupName(vocabulary, 'storage.'),
    kind: 'StorageClass',
    plural: 'storageclasses',
    shortNames: ['sc'],
    scope: 'Cluster',
    schema: storageClassSchema,
    columns: [
      {
        ...nameColumn,
        cell: ({ metadata }) =>
          `${metadata.name ?? ''}${isDefault(metadata, labelDomain) ? ' (default)' : ''}`,
      },
      column('Provisioner', 'Who makes its volumes.', ({ provisioner = '' }: StorageClass) => provisioner),
      column(
        'ReclaimPolicy',
        'What becomes of volumes when their claims go.',
        ({ reclaimPolicy = 'Delete' }: StorageClass) => reclaimPolicy,
      ),
      column(
        'VolumeBindingMode',
        'When claims are met.',
        ({ volumeBindingMode = 'Immediate' }: StorageClass) => volumeBindingMode,
      ),
      column(
        'AllowVolumeExpansion',
        'Whether claims may grow.',
        ({ allowVolumeExpansion = false }: StorageClass) => allowVolumeExpansion,
      ),
      ageColumn,
    ],
    strategy: {
      updateChecks: ['whole', 'change'],
      returnsDeletedObject: true,
      validate,
      validateUpdate: (object, stored) => [...validate(object), ...changeErrors(object, stored)],
    },
  });
}

const isDefault = ({ annotations = {} }: ApiObject['metadata'], labelDomain: string): boolean =>
  [`storageclass.${labelDomain}/is-default-class`, `storageclass.beta.${labelDomain}/is-default-class`].some(
    (key) => annotations[key] === 'true',
  );

function validate({ provisioner, reclaimPolicy, volumeBindingMode }: StorageClass): readonly FieldError[] {
  return [
    ...named('provisioner', provisioner?.toLowerCase(), qualifiedNameErrors),
    ...oneOf('reclaimPolicy', reclaimPolicy, ['Delete', 'Retain']),
    ...oneOf('volumeBindingMode', volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']),
  ];
}

function changeErrors(object: StorageClass, stored: StorageClass): readonly FieldError[] {
  return [
    ...(['parameters', 'provisioner', 'reclaimPolicy'] as const).flatMap((name) =>
      jsonEqual(object[name], stored[name])
        ? []
        : [FieldErrors.forbidden(name, `updates to ${name} are forbidden.`)],
    ),
    ...unchanged('volumeBindingMode', object.volumeBindingMode, stored.volumeBindingMode),
  ];
}
