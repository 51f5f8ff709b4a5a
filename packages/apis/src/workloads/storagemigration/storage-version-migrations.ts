import { groupName, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { column, nameColumn } from '../../types/columns.ts';
import { restoredMetadata } from '../restored-metadata.ts';
import { storageVersionMigrationSchema } from '../shapes/storagemigration/storage-version-migration.ts';
import { workloadType } from '../workload-type.ts';
import type { StorageVersionMigration } from './migration-object.ts';
import { migrationErrors, migrationStatusErrors, migrationUpdateErrors } from './migration-validation.ts';

/**
 * Migrations of stored objects (semantics/lifecycle#storage-version-migrations): for servers with the feature gate StorageVersionMigrator,
 * whose runtime configuration names `storagemigration…/v1alpha1`. The controller `storage-version-migrator` carries them out.
 */
export function storageVersionMigrations(vocabulary: Vocabulary): ResourceDefinition {
  const definition = workloadType({
    group: groupName(vocabulary, 'storagemigration.'),
    kind: 'StorageVersionMigration',
    plural: 'storageversionmigrations',
    version: 'v1alpha1',
    scope: 'Cluster',
    schema: storageVersionMigrationSchema,
    columns: [
      { ...nameColumn, format: '' },
      column('Resource', 'The migrated resource.', ({ spec }: StorageVersionMigration) => {
        const { group = '', version = '', resource = '' } = spec?.resource ?? {};
        return `${resource}.${version}.${group}`;
      }),
    ],
    status: {
      updateChecks: ['metadata-change'],
      restoredMetadata,
      validate: migrationStatusErrors,
      resetFields: [['spec'], ['metadata']],
    },
    strategy: {
      updateChecks: ['metadata', 'object', 'metadata-change'],
      allowsUnconditionalUpdate: false,
      validate: migrationErrors,
      validateUpdate: migrationUpdateErrors,
    },
  });
  return { ...definition, versions: definition.versions.map((version) => ({ ...version, served: false })) };
}
