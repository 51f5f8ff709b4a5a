import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { keyedBy, printed, string, time, type } from '../../../types/schema-fields.ts';
import { listOf, part, textOf } from '../../shape-fields.ts';

// Migrations of stored objects to the storage version of their type.

const groupVersionResource = type('api.storagemigration.v1alpha1.GroupVersionResource', {
  group: string(1),
  version: string(2),
  resource: string(3),
});

const migrationCondition = type(
  'api.storagemigration.v1alpha1.MigrationCondition',
  {
    type: printed(textOf(1, 'api.storagemigration.v1alpha1.MigrationConditionType')),
    status: printed(textOf(2, 'api.core.v1.ConditionStatus')),
    lastUpdateTime: time(3),
    reason: string(4),
    message: string(5),
  },
  { required: ['type', 'status'] },
);

const storageVersionMigrationSpec = type(
  'api.storagemigration.v1alpha1.StorageVersionMigrationSpec',
  {
    resource: part(1, groupVersionResource),
    continueToken: string(2),
  },
  { required: ['resource'] },
);

const storageVersionMigrationStatus = type('api.storagemigration.v1alpha1.StorageVersionMigrationStatus', {
  conditions: listOf(1, migrationCondition, keyedBy('type')),
  resourceVersion: string(2),
});

/** Schema of `StorageVersionMigration`. */
export const storageVersionMigrationSchema: Schema = kindSchema(
  'api.storagemigration.v1alpha1.StorageVersionMigration',
  'Writes the stored objects of a resource again, in its storage version.',
  {
    spec: part(2, storageVersionMigrationSpec),
    status: part(3, storageVersionMigrationStatus),
  },
);
