export { createSqliteStore, type SqliteStore, type SqliteStoreOptions } from './lib/create-sqlite-store.ts';
export { SqliteStoreError, type SqliteStoreFault } from './lib/sqlite-store-error.ts';
