export { createSqliteStore } from './create-sqlite-store.ts';
export type { FileUpgrade } from './protocol.ts';
export type { SqliteStore, SqliteStoreOptions } from './sqlite-store.ts';
export { SqliteStoreError, type SqliteStoreFault } from './sqlite-store-error.ts';
export { SqliteThread } from './sqlite-thread.ts';
