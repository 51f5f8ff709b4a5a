import type { ApiObject } from '@ashlar/core';

/** A condition of a migration. */
export interface MigrationCondition {
  /** `Running`, `Succeeded` or `Failed`. */
  readonly type?: string;
  readonly status?: string;
  readonly lastUpdateTime?: string | null;
  readonly reason?: string;
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
