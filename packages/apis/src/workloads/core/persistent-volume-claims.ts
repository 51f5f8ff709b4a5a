import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  type LabelSelectorObject,
  parseQuantity,
  type Vocabulary,
  validateLabelSelector,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn, wide } from '../../types/columns.ts';
import { orElse } from '../cells.ts';
import { persistentVolumeClaimSchema } from '../shapes/core/persistent-volume-claim.ts';
import { workloadType } from '../workload-type.ts';
import type { ResourceList } from './pod-types.ts';
import { ACCESS_MODES, accessModesText, storageClassText } from './volume-columns.ts';

/** The spec of a claim. */
interface ClaimSpec {
  readonly accessModes?: readonly string[];
  readonly selector?: LabelSelectorObject;
  readonly resources?: { readonly requests?: ResourceList };
  readonly volumeName?: string;
  readonly storageClassName?: string;
  readonly volumeMode?: string;
  readonly dataSource?: JsonObject;
  readonly dataSourceRef?: JsonObject;
  readonly volumeAttributesClassName?: string;
}

/** A request for storage. */
interface Claim extends ApiObject {
  readonly spec?: ClaimSpec;
  readonly status?: {
    readonly phase?: string;
    readonly accessModes?: readonly string[];
    readonly capacity?: ResourceList;
  };
}

/** Claims of persistent volumes. */
export function persistentVolumeClaims({ labelDomain }: Vocabulary): ResourceDefinition {
  const bound = ({ spec }: Claim): boolean => Boolean(spec?.volumeName);
  return workloadType({
    group: '',
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    shortNames: ['pvc'],
    scope: 'Namespaced',
    schema: persistentVolumeClaimSchema,
    columns: [
      nameColumn,
      column('Status', 'Whether it was met.', ({ metadata, status }: Claim) =>
        metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating',
      ),
      column('Volume', 'The volume that it has.', ({ spec }: Claim) => spec?.volumeName ?? ''),
      column('Capacity', 'How much that holds.', (claim: Claim) =>
        bound(claim) ? (claim.status?.capacity?.storage ?? '0') : '',
      ),
      column('Access Modes', 'How that may be mounted.', (claim: Claim) =>
        bound(claim) ? accessModesText(claim.status?.accessModes) : '',
      ),
      column('StorageClass', 'The kind of storage that it asks for.', ({ metadata, spec }: Claim) =>
        storageClassText(metadata.annotations, spec?.storageClassName, labelDomain),
      ),
      column('VolumeAttributesClass', 'Its class of attributes.', ({ spec }: Claim) =>
        orElse(spec?.volumeAttributesClassName, '<unset>'),
      ),
      ageColumn,
      wide(
        column('VolumeMode', 'File system or block device.', ({ spec }: Claim) =>
          orElse(spec?.volumeMode, '<unset>'),
        ),
      ),
    ],
    status: {},
    strategy: {
      updateChecks: ['whole', 'object', 'change', 'whole'],
      returnsDeletedObject: true,
      prepareForCreate: withDataSources,
      prepareForUpdate: withDataSources,
      validate: ({ spec = {} }: Claim) => claimSpecErrors(spec, 'spec'),
      validateUpdate: (claim: Claim, stored: Claim) => [
        ...claimSpecErrors(claim.spec ?? {}, 'spec'),
        ...changeErrors(claim.spec ?? {}, stored.spec ?? {}, claim.status?.phase === 'Bound'),
      ],
    },
  });
}

/** A source of data has an old field and a new one; within the namespace they are equal. */
function withDataSources(claim: Claim): ApiObject {
  const { dataSource, dataSourceRef, ...rest } = claim.spec ?? {};
  if (dataSource && !dataSourceRef) return { ...claim, spec: { ...claim.spec, dataSourceRef: dataSource } };
  if (!dataSourceRef || dataSource || dataSourceRef.namespace) return claim;
  const { volumeAttributesClassName: _, ...before } = rest;
  return { ...claim, spec: { ...before, dataSource: dataSourceRef, dataSourceRef, ...rest } };
}

/** Errors of the spec of a claim, at any path. */
function claimSpecErrors(spec: ClaimSpec, path: string): readonly FieldError[] {
  const { accessModes = [], selector, resources } = spec;
  const storage = resources?.requests?.storage;
  const at = `${path}.resources[storage]`;
  return [
    ...(accessModes.length === 0
      ? [FieldErrors.required(`${path}.accessModes`, 'at least 1 access mode is required')]
      : []),
    ...validateLabelSelector(selector, `${path}.selector`),
    ...accessModes.flatMap((mode) =>
      ACCESS_MODES.includes(mode)
        ? []
        : [FieldErrors.notSupported(`${path}.accessModes`, mode, ACCESS_MODES)],
    ),
    ...(storage === undefined ? [FieldErrors.required(at)] : []),
    ...(storage !== undefined && parseQuantity(storage).compare(parseQuantity('0')) <= 0
      ? [FieldErrors.invalid(at, storage, 'must be greater than zero')]
      : []),
  ];
}

/** A bound claim may grow, and get a class and a volume if it had none. */
function changeErrors(spec: ClaimSpec, was: ClaimSpec, isBound: boolean): readonly FieldError[] {
  const fixed = ({ resources, volumeName, storageClassName, ...rest }: ClaimSpec): JsonValue =>
    ({
      ...rest,
      ...(was.volumeName && { volumeName: volumeName ?? '' }),
      ...(was.storageClassName !== undefined && { storageClassName: storageClassName ?? '' }),
      others: Object.entries(resources?.requests ?? {}).filter(([name]) => !isBound || name !== 'storage'),
    }) as unknown as JsonValue;
  if (!jsonEqual(fixed(spec), fixed(was))) {
    const why =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n';
    return [FieldErrors.forbidden('spec', why)];
  }
  const next = parseQuantity(spec.resources?.requests?.storage ?? '0');
  const before = parseQuantity(was.resources?.requests?.storage ?? '0');
  if (next.compare(before) >= 0) return [];
  return [
    FieldErrors.forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'),
  ];
}
