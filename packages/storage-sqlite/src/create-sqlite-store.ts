import { checkOptionNames, optionError } from '@ashlar/core';
import { LoadedState } from './loaded-state.ts';
import { SqliteEngine } from './sqlite-engine.ts';
import type { SqliteStore, SqliteStoreOptions } from './sqlite-store.ts';
import { SqliteStoreError } from './sqlite-store-error.ts';
import { SqliteThread } from './sqlite-thread.ts';
import { Writer } from './writer.ts';

/**
 * Opens a store in a file. Only one store can have the file open; the lock ends with the process, however
 * that ends.
 *
 * @throws SqliteStoreError if the file is in use, damaged, or of another application; TypeError for options that are wrong
 * @example
 * const store = await createSqliteStore({ file: 'ashlar.db', clock });
 * await store.put('/pods/default/a', bytes, { ifRevision: 0 });
 * await store[Symbol.asyncDispose]();
 */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  checkOptions(options);
  const { file, maxFileBytes, thread = new SqliteThread() } = options;
  const writer = new Writer({ file, maxFileBytes }, thread.take());
  const loaded = new LoadedState();
  const trimmed = await writer.open((change) => loaded.add(change), options.onUpgrade);
  try {
    const core = loaded.toCore(trimmed, options);
    return new SqliteEngine(options, writer, { core, leases: loaded.leases() });
  } catch (error) {
    await writer.close();
    throw new SqliteStoreError(file, { code: 'GAP', message: (error as Error).message });
  }
}

const CALLEE = 'createSqliteStore';

/** Every option; the compiler refuses one that is missing. */
const OPTIONS: Readonly<Record<keyof SqliteStoreOptions, true>> = {
  file: true,
  maxFileBytes: true,
  onFault: true,
  onUpgrade: true,
  thread: true,
  clock: true,
  historyMilliseconds: true,
  historyLimit: true,
  historyBytes: true,
};

function checkOptions(options: SqliteStoreOptions): void {
  checkOptionNames(CALLEE, options, Object.keys(OPTIONS));
  const { file, clock, thread } = options;
  if (typeof file !== 'string' || file === '') throw optionError(CALLEE, 'file', 'the path of a file', file);
  if (typeof clock?.now !== 'function') {
    throw optionError(CALLEE, 'clock', 'a clock, such as nodeClock of @ashlar/http-node', clock);
  }
  if (thread !== undefined && typeof thread.take !== 'function')
    throw optionError(CALLEE, 'thread', 'a SqliteThread', thread);
}
