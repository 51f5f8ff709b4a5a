export { createPostgresStore, type PostgresStoreOptions } from './create-postgres-store.ts';
export { PostgresStoreError, type PostgresStoreFault } from './postgres-store-error.ts';
