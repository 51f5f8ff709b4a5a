import {
  type ApiObject,
  choiceErrors,
  type FieldError,
  FieldErrors,
  groupName,
  jsonEqual,
  qualifiedNameErrors,
  type Steps,
  utf8Length,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { invalidWhen, required, unchanged } from '../field-rules.ts';
import { storageClassSchema } from '../shapes/storage/storage-class.ts';
import { workloadType } from '../workload-type.ts';
import { type TopologySelectorTerm, topologiesErrorsSteps, topologyWarnings } from './topology-selectors.ts';

/** A class of storage. */
interface StorageClass extends ApiObject {
  readonly provisioner?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly reclaimPolicy?: string;
  readonly volumeBindingMode?: string;
  readonly allowVolumeExpansion?: boolean;
  readonly allowedTopologies?: readonly TopologySelectorTerm[];
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
      updateChecks: ['metadata', 'object', 'metadata-change'],
      returnsDeletedObject: true,
      warnings: ({ allowedTopologies }: StorageClass) =>
        topologyWarnings(allowedTopologies ?? [], vocabulary),
      validateSteps: errorsSteps,
      validateUpdate: changeErrors,
    },
  });
}

const isDefault = ({ annotations = {} }: ApiObject['metadata'], labelDomain: string): boolean =>
  [`storageclass.${labelDomain}/is-default-class`, `storageclass.beta.${labelDomain}/is-default-class`].some(
    (key) => annotations[key] === 'true',
  );

function* errorsSteps(object: StorageClass): Steps<readonly FieldError[]> {
  const { provisioner = '', parameters, reclaimPolicy = '', volumeBindingMode } = object;
  return [
    ...required('provisioner', provisioner),
    ...(provisioner === ''
      ? []
      : qualifiedNameErrors(provisioner.toLowerCase()).map((why) =>
          FieldErrors.invalid('provisioner', provisioner.toLowerCase(), why),
        )),
    ...parametersErrors(parameters ?? {}),
    ...(reclaimPolicy === '' ? [] : choiceErrors('reclaimPolicy', reclaimPolicy, ['Delete', 'Retain'])),
    ...(volumeBindingMode === undefined
      ? [FieldErrors.required('volumeBindingMode')]
      : choiceErrors('volumeBindingMode', volumeBindingMode, ['Immediate', 'WaitForFirstConsumer'])),
    ...(yield* topologiesErrorsSteps(object.allowedTopologies, 'allowedTopologies')),
  ];
}

const MOST_PARAMETERS = 512;
const LARGEST_PARAMETERS_BYTES = 262_144;

function parametersErrors(parameters: Readonly<Record<string, string>>): readonly FieldError[] {
  const entries = Object.entries(parameters);
  if (entries.length > MOST_PARAMETERS) return [FieldErrors.tooLong('parameters', MOST_PARAMETERS)];
  let bytes = 0;
  for (const [key, value] of entries) bytes += utf8Length(key) + utf8Length(value);
  return [
    ...invalidWhen('' in parameters, 'parameters', '', 'field can not be empty.'),
    ...(bytes > LARGEST_PARAMETERS_BYTES
      ? [FieldErrors.tooLong('parameters', LARGEST_PARAMETERS_BYTES)]
      : []),
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
