import type { ApiObject } from '@ashlar/core';

/** A condition of a migration. */
export interface MigrationCondition {
  readonly type: 'Running' | 'Succeeded' | 'Failed';
  readonly status: string;
  readonly lastUpdateTime: string;
  readonly reason: string;
  readonly message?: string;
}

/** A migration of the stored objects of a resource. */
export interface StorageVersionMigration extends ApiObject {
  readonly spec?: {
    readonly resource?: { readonly group?: string; readonly version?: string; readonly resource?: string };
    /** The page of objects that is written next. */
    readonly continueToken?: string;
  };
  readonly status?: {
    readonly conditions?: readonly MigrationCondition[];
    /** The version of the collection when the migration began. */
    readonly resourceVersion?: string;
  };
}

/** Whether a migration succeeded or failed. */
export function isOver(migration: StorageVersionMigration): boolean {
  return holds(migration, 'Succeeded') || holds(migration, 'Failed');
}

const holds = ({ status }: StorageVersionMigration, type: MigrationCondition['type']): boolean =>
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
