import type { TransportTls, Vocabulary } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { createMemoryStore, type KeyValueStore, StoreFaultError } from '@ashlar/storage';
import type { SqliteThread } from '@ashlar/storage-sqlite';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { readTextFile } from '../read-text-file.ts';
import { StartError, UsageError } from '../usage-error.ts';
import { type BackupOptions, openBackup } from './open-backup.ts';
import { requireVocabulary } from './require-vocabulary.ts';
import type { StateFolder } from './state-folder.ts';
import type { StorageLocation } from './storage-location.ts';

const ETCD_FLAGS = [
  'etcd-prefix',
  'etcd-cafile',
  'etcd-certfile',
  'etcd-keyfile',
  'etcd-compaction-interval',
] as const;

/**
 * Returns the storage location that the flags name; by default a file in the state folder.
 * @throws UsageError for flags that contradict each other
 */
export function storageLocation(flags: ServeFlags, folder: StateFolder): StorageLocation {
  const { storage, 'etcd-servers': endpoints, snapshot } = flags;
  if (storage && endpoints) throw new UsageError('flags --storage and --etcd-servers exclude each other');
  if (snapshot !== undefined && (storage ?? endpoints))
    throw new UsageError('flag --snapshot excludes --storage and --etcd-servers');
  const location: StorageLocation = snapshot
    ? { engine: 'snapshot', file: snapshot }
    : endpoints
      ? { engine: 'etcd', endpoints }
      : (storage ?? { engine: 'sqlite', file: folder.file('state.db') });
  const alone = ETCD_FLAGS.find((flag) => flags[flag] !== undefined);
  const isPrefixOfSnapshot = alone === 'etcd-prefix' && snapshot !== undefined;
  if (alone && location.engine !== 'etcd' && !isPrefixOfSnapshot)
    throw new UsageError(`flag --${alone} needs --etcd-servers or --storage etcd:URL`);
  if (flags['postgres-schema'] !== undefined && location.engine !== 'postgres')
    throw new UsageError('flag --postgres-schema needs --storage postgres://HOST/DATABASE');
  return location;
}

/** What opening a store needs besides its flags. */
export interface OpenStorageOptions extends BackupOptions {
  /** For a file, if it was started ahead. */
  readonly thread?: SqliteThread | undefined;
}

/**
 * Opens the store of a server. Storage engines are loaded on demand.
 * @throws UsageError that says why the store cannot be used
 * @throws StartError if the disk or the stored data is faulty
 */
export async function openStorage(
  location: StorageLocation,
  flags: ServeFlags,
  vocabulary: Vocabulary,
  options: OpenStorageOptions = { report: () => {}, encryption: undefined },
): Promise<KeyValueStore> {
  const { clock } = nodeAmbient(vocabulary);
  if (location.engine === 'memory') return createMemoryStore({ clock });
  try {
    const store = await open(location, flags, vocabulary, options);
    if (location.engine !== 'snapshot') await requireVocabulary(store, vocabulary, location);
    return store;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (StoreFaultError.is(error) && !isFileFault(error)) throw new StartError(error.message);
    const flag = flags['etcd-servers'] ? 'etcd-servers' : flags.snapshot ? 'snapshot' : 'storage';
    throw new UsageError(`flag --${flag}: ${error instanceof Error ? error.message : error}`);
  }
}

function open(
  location: Exclude<StorageLocation, { engine: 'memory' }>,
  flags: ServeFlags,
  vocabulary: Vocabulary,
  { report, encryption, thread }: OpenStorageOptions,
): Promise<KeyValueStore> {
  const { clock } = nodeAmbient(vocabulary);
  if (location.engine === 'sqlite') return openFile(location.file, clock, report, thread);
  if (location.engine === 'snapshot')
    return openBackup(location.file, flags, vocabulary, { report, encryption });
  if (location.engine === 'etcd') return openCluster(location.endpoints, flags, clock, report);
  return openDatabase(location.connectionString, flags, clock, report);
}

/** Faults that are specific to the named file. */
const FILE_FAULTS: ReadonlySet<unknown> = new Set([
  ...['locked', 'unreadable', 'not-a-database', 'foreign', 'newer-format'],
]);

const isFileFault = (error: StoreFaultError & { readonly fault?: unknown }): boolean =>
  FILE_FAULTS.has(error.fault);

type Clock = ReturnType<typeof nodeAmbient>['clock'];

async function openFile(
  file: string,
  clock: Clock,
  report: (text: string) => void,
  thread: SqliteThread | undefined,
): Promise<KeyValueStore> {
  const { createSqliteStore } = await import('@ashlar/storage-sqlite');
  const onFault = (fault: Error | undefined): void =>
    report(`ashlar: ${fault?.message ?? `the store ${file} is writable again`}\n`);
  return createSqliteStore({
    ...{ file, clock, onFault },
    ...(thread && { thread }),
    onUpgrade: ({ from, to, copy }) =>
      report(
        `ashlar: the store ${file} was upgraded from format ${from} to ${to}; what it contained before is in ${copy}\n`,
      ),
  });
}

async function openCluster(
  endpoints: readonly string[],
  flags: ServeFlags,
  clock: Clock,
  report: (text: string) => void,
): Promise<KeyValueStore> {
  const prefix = flags['etcd-prefix'];
  const tls = etcdTls(flags);
  const { createEtcdStore } = await import('@ashlar/storage-etcd');
  const store = await createEtcdStore({
    endpoints,
    clock,
    ...(prefix !== undefined && { prefix }),
    ...(tls && { tls }),
  });
  return cached(store, clock, report);
}

async function openDatabase(
  connectionString: string,
  flags: ServeFlags,
  clock: Clock,
  report: (text: string) => void,
): Promise<KeyValueStore> {
  const schema = flags['postgres-schema'];
  const { createPostgresStore } = await import('@ashlar/storage-postgres');
  const store = await createPostgresStore({
    connectionString,
    clock,
    ...(schema !== undefined && { schema }),
  });
  return cached(store, clock, report);
}

/** Serves reads of a store that servers share from memory. */
async function cached(
  store: KeyValueStore,
  clock: Clock,
  report: (text: string) => void,
): Promise<KeyValueStore> {
  const { withWatchCache } = await import('@ashlar/watch-cache');
  const onFault = (error: unknown): void =>
    report(
      error === undefined
        ? 'ashlar: the watch of the storage has resumed\n'
        : `ashlar: the storage cannot be watched: ${error instanceof Error ? error.message : error}\n`,
    );
  return withWatchCache(store, { clock, onFault });
}

function etcdTls(flags: ServeFlags): TransportTls | undefined {
  const [authorities, certificate, key] = (['etcd-cafile', 'etcd-certfile', 'etcd-keyfile'] as const).map(
    (flag) => {
      const path = flags[flag];
      return path === undefined ? undefined : readTextFile(flag, path);
    },
  );
  if ((certificate === undefined) !== (key === undefined))
    throw new UsageError('flags --etcd-certfile and --etcd-keyfile need each other');
  if (authorities === undefined && certificate === undefined) return undefined;
  return {
    ...(authorities !== undefined && { certificateAuthorities: authorities }),
    ...(certificate !== undefined && key !== undefined && { certificate, key }),
  };
}
