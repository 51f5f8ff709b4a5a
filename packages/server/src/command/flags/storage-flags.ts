import type { Vocabulary } from '@ashlar/core';
import { parseEndpoints, parseStorageLocation, type StorageLocation } from '../storage/storage-location.ts';
import { STORAGE } from './flag-groups.ts';
import { concatenated, duration, text, toggle } from './flag-kinds.ts';
import type { Flag, FlagTableOf } from './flags.ts';
import { vocabularyFlag } from './vocabulary-flag.ts';

/** Flags of storage and vocabulary. Durations are in milliseconds. */
export interface StorageFlags {
  readonly vocabulary?: Vocabulary;
  readonly storage?: StorageLocation;
  readonly 'etcd-servers'?: readonly string[];
  readonly 'etcd-prefix'?: string;
  readonly 'etcd-cafile'?: string;
  readonly 'etcd-certfile'?: string;
  readonly 'etcd-keyfile'?: string;
  readonly 'etcd-compaction-interval'?: number;
  readonly 'postgres-schema'?: string;
  readonly snapshot?: string;
  readonly 'event-ttl'?: number;
  readonly 'encryption-provider-config'?: string;
  readonly 'encryption-provider-config-automatic-reload'?: boolean;
}

const storage: Flag<StorageLocation> = {
  group: STORAGE,
  value: 'memory|sqlite:FILE|etcd:URL,URL|postgres://HOST/DATABASE',
  meaning: 'where to store objects (default sqlite:.ashlar/state.db)',
  parse: parseStorageLocation,
};

const etcdServers: Flag<readonly string[]> = {
  group: STORAGE,
  value: 'URL,URL',
  meaning: 'endpoints of the etcd cluster that stores the objects, instead of --storage',
  parse: parseEndpoints,
  join: concatenated,
};

export const storageFlags: FlagTableOf<StorageFlags> = {
  vocabulary: vocabularyFlag(STORAGE),
  storage,
  'etcd-servers': etcdServers,
  'etcd-prefix': text(STORAGE, 'PATH', 'prefix of all keys in etcd (default /registry)'),
  'etcd-cafile': text(STORAGE, 'FILE', 'authorities that its certificates are of, PEM'),
  'etcd-certfile': text(STORAGE, 'FILE', 'our certificate for it, PEM'),
  'etcd-keyfile': text(STORAGE, 'FILE', 'the key of that certificate, PEM'),
  'etcd-compaction-interval': duration(STORAGE, 'interval of compaction; 0 disables it (default 5m)'),
  'postgres-schema': text(STORAGE, 'NAME', 'schema of the tables in PostgreSQL (default ashlar)'),
  snapshot: text(
    STORAGE,
    'FILE',
    'serve a snapshot of the etcd of any cluster, read-only, instead of --storage',
  ),
  'event-ttl': duration(STORAGE, 'time to live of events (default 1h)'),
  'encryption-provider-config': text(
    STORAGE,
    'FILE',
    'which resources are encrypted in the storage, and how',
  ),
  'encryption-provider-config-automatic-reload': toggle(
    STORAGE,
    'reload that file when it changes (default false)',
  ),
};
