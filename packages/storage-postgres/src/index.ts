export { createPostgresStore, type PostgresStoreOptions } from './create-postgres-store.ts';
export { PostgresStoreError, type PostgresStoreFault } from './postgres-store-error.ts';
export {
  openPostgresTable,
  type PostgresRow,
  type PostgresRowChange,
  type PostgresTable,
  type PostgresTableOptions,
} from './table/open-postgres-table.ts';
