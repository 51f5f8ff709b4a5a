import type { MigrationCondition, StorageVersionMigration } from '@ashlar/apis';

/** Whether a migration succeeded or failed. */
export function isOver(migration: StorageVersionMigration): boolean {
  return holds(migration, 'Succeeded') || holds(migration, 'Failed');
}

const holds = ({ status }: StorageVersionMigration, type: string | undefined): boolean =>
  (status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');

/** The migration with a condition that is true now: what succeeded or failed no longer runs. */
export function withCondition(
  migration: StorageVersionMigration,
  condition: MigrationCondition,
  resourceVersion: string | undefined = migration.status?.resourceVersion,
): StorageVersionMigration {
  const before = migration.status?.conditions ?? [];
  const conditions = holds(migration, condition.type)
    ? before
    : [
        ...before.map((other) => (other.type === 'Running' ? { ...other, status: 'False' } : other)),
        condition,
      ];
  return { ...migration, status: { ...(resourceVersion && { resourceVersion }), conditions } };
}
