import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { boolean, optional, printed, string, stringMap, time, type } from '../../../types/schema-fields.ts';
import { part } from '../../shape-fields.ts';
import { persistentVolumeSpec } from '../core/persistent-volume.ts';

// Attachments of volumes to nodes.

const volumeAttachmentSource = type('api.storage.v1.VolumeAttachmentSource', {
  persistentVolumeName: optional(string(1)),
  inlineVolumeSpec: optional(part(2, persistentVolumeSpec)),
});

const volumeAttachmentSpec = type(
  'api.storage.v1.VolumeAttachmentSpec',
  {
    attacher: printed(string(1)),
    source: part(2, volumeAttachmentSource),
    nodeName: printed(string(3)),
  },
  { required: ['attacher', 'source', 'nodeName'] },
);

const volumeError = type('api.storage.v1.VolumeError', {
  time: time(1),
  message: string(2),
});

const volumeAttachmentStatus = type(
  'api.storage.v1.VolumeAttachmentStatus',
  {
    attached: printed(boolean(1)),
    attachmentMetadata: stringMap(2),
    attachError: optional(part(3, volumeError)),
    detachError: optional(part(4, volumeError)),
  },
  { required: ['attached'] },
);

/** Schema of `VolumeAttachment`. */
export const volumeAttachmentSchema: Schema = kindSchema(
  'api.storage.v1.VolumeAttachment',
  'A volume that is to be attached to a node.',
  {
    spec: part(2, volumeAttachmentSpec),
    status: part(3, volumeAttachmentStatus),
  },
  { required: ['spec'] },
);
