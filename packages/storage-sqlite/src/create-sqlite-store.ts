import { LoadedState } from './loaded-state.ts';
import { SqliteEngine } from './sqlite-engine.ts';
import type { SqliteStore, SqliteStoreOptions } from './sqlite-store.ts';
import { SqliteStoreError } from './sqlite-store-error.ts';
import { Writer } from './writer.ts';

/**
 * Opens a store in a file. Only one store can have the file open; the lock ends with the process, however
 * that ends.
 *
 * @throws SqliteStoreError if the file is in use, damaged, or of another application
 * @example
 * const store = await createSqliteStore({ file: 'ashlar.db', clock });
 * await store.put('/pods/default/a', bytes, { ifRevision: 0 });
 * await store[Symbol.asyncDispose]();
 */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const { file, maxFileBytes } = options;
  const writer = new Writer({ file, maxFileBytes });
  const loaded = new LoadedState();
  const trimmed = await writer.open((change) => loaded.add(change));
  try {
    const core = loaded.toCore(trimmed, options);
    return new SqliteEngine(options, writer, { core, leases: loaded.leases() });
  } catch (error) {
    await writer.close();
    throw new SqliteStoreError(file, { code: 'GAP', message: (error as Error).message });
  }
}
