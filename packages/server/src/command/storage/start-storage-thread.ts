import type { SqliteThread } from '@ashlar/storage-sqlite';
import type { ServeFlags } from '../flags/serve-flags.ts';

/** Starts the thread of a store in a file, while the rest of the program is loaded; undefined where flags name another store. */
export async function startStorageThread(flags: ServeFlags): Promise<SqliteThread | undefined> {
  const { storage, snapshot, 'etcd-servers': endpoints } = flags;
  if (snapshot !== undefined || endpoints || (storage && storage.engine !== 'sqlite')) return undefined;
  const { SqliteThread } = await import('@ashlar/storage-sqlite');
  return new SqliteThread();
}
