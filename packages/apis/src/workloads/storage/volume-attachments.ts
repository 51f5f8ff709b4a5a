import {
  type ApiObject,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  groupName,
  utf8Length,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { booleanColumn } from '../cells.ts';
import { inlineVolumeErrors, type VolumeSpec } from '../core/volume-validation.ts';
import { follows, NO_ERRORS, required, unchanged } from '../field-rules.ts';
import { driverNameErrors } from '../pods/volumes/volume-drivers.ts';
import { restoredMetadata } from '../restored-metadata.ts';
import { volumeAttachmentSchema } from '../shapes/storage/volume-attachment.ts';
import { workloadType } from '../workload-type.ts';

/** An attachment of a volume to a node. */
interface VolumeAttachment extends ApiObject {
  readonly spec?: {
    readonly attacher?: string;
    readonly nodeName?: string;
    readonly source?: { readonly persistentVolumeName?: string; readonly inlineVolumeSpec?: VolumeSpec };
  };
  readonly status?: {
    readonly attached?: boolean;
    readonly attachmentMetadata?: Readonly<Record<string, string>>;
    readonly attachError?: VolumeError;
    readonly detachError?: VolumeError;
  };
}

/** What went wrong when a volume was attached or detached. */
interface VolumeError {
  readonly message?: string;
}

/** Attachments of volumes. */
export function volumeAttachments(vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: groupName(vocabulary, 'storage.'),
    kind: 'VolumeAttachment',
    plural: 'volumeattachments',
    scope: 'Cluster',
    schema: volumeAttachmentSchema,
    columns: [
      nameColumn,
      {
        ...column('Attacher', 'Who attaches it.', ({ spec }: VolumeAttachment) => spec?.attacher ?? ''),
        format: 'name',
      },
      column('PV', 'The volume.', ({ spec }: VolumeAttachment) => spec?.source?.persistentVolumeName ?? ''),
      column('Node', 'The node.', ({ spec }: VolumeAttachment) => spec?.nodeName ?? ''),
      booleanColumn(
        'Attached',
        'Whether it is.',
        ({ status }: VolumeAttachment) => status?.attached ?? false,
      ),
      ageColumn,
    ],
    status: {
      updateChecks: ['metadata', 'change', 'metadata', 'change'],
      restoredMetadata,
      validate,
      resetFields: [['spec'], ['metadata']],
    },
    strategy: {
      updateChecks: ['metadata', 'object', 'metadata'],
      allowsUnconditionalUpdate: false,
      returnsDeletedObject: true,
      validate: (object: VolumeAttachment, stored) => [
        ...validate(object),
        ...(stored ? [] : newErrors(object)),
      ],
      validateUpdate: (object: VolumeAttachment, stored: VolumeAttachment) => [
        ...validate(object),
        ...unchanged('spec', object.spec, stored.spec),
      ],
    },
  });
}

function validate({ spec = {}, status = {} }: VolumeAttachment): readonly FieldError[] {
  const { attacher, nodeName, source = {} } = spec;
  const { persistentVolumeName: volume, inlineVolumeSpec: inline } = source;
  const path = 'spec.source';
  return [
    ...required('spec.attacher', attacher),
    ...(inline === undefined && volume === undefined
      ? [FieldErrors.required(path, 'must specify exactly one of inlineVolumeSpec and persistentVolumeName')]
      : []),
    ...(inline !== undefined && volume !== undefined
      ? [FieldErrors.forbidden(path, 'must specify exactly one of inlineVolumeSpec and persistentVolumeName')]
      : []),
    ...(volume === '' && inline === undefined
      ? [FieldErrors.required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName')]
      : []),
    ...(inline && volume === undefined ? inlineVolumeErrors(inline, `${path}.inlineVolumeSpec`) : []),
    ...follows('spec.nodeName', nodeName ?? '', dns1123SubdomainErrors),
    ...metadataErrors('status.attachmentMetadata', status.attachmentMetadata ?? {}),
    ...messageErrors('status.attachError.message', status.attachError?.message),
    ...messageErrors('status.detachError.message', status.detachError?.message),
  ];
}

const LARGEST_METADATA_BYTES = 262_144;
const LONGEST_MESSAGE_BYTES = 1024;

/** Names and values count together. */
function metadataErrors(path: string, metadata: Readonly<Record<string, string>>): readonly FieldError[] {
  let bytes = 0;
  for (const [key, value] of Object.entries(metadata)) bytes += utf8Length(key) + utf8Length(value);
  return bytes > LARGEST_METADATA_BYTES ? [FieldErrors.tooLong(path, LARGEST_METADATA_BYTES)] : NO_ERRORS;
}

/** The error of a long message tells the limit of the metadata, as clients know it. */
function messageErrors(path: string, message = ''): readonly FieldError[] {
  const isLong = utf8Length(message) > LONGEST_MESSAGE_BYTES;
  return isLong ? [FieldErrors.tooLong(path, LARGEST_METADATA_BYTES)] : NO_ERRORS;
}

/** Names of stored ones may be longer. */
function newErrors({ spec = {} }: VolumeAttachment): readonly FieldError[] {
  const { attacher = '', source } = spec;
  const volume = source?.persistentVolumeName;
  return [
    ...driverNameErrors(attacher, 'spec.attacher'),
    ...(volume === undefined
      ? []
      : follows('spec.source.persistentVolumeName', volume, dns1123SubdomainErrors)),
  ];
}
