export { createSqliteStore, type SqliteStore, type SqliteStoreOptions } from './create-sqlite-store.ts';
export { SqliteStoreError, type SqliteStoreFault } from './sqlite-store-error.ts';
