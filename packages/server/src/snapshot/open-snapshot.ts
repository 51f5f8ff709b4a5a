import { apiServices } from '@ashlar/aggregation';
import { builtInResources } from '@ashlar/apis';
import type { Ambient, Vocabulary } from '@ashlar/core';
import { errorMessage } from '@ashlar/core';
import { type Encryption, encryptedPrefix } from '@ashlar/encryption';
import { customResourceDefinitions } from '@ashlar/extensions';
import type { ResourceDefinition } from '@ashlar/registry';
import { type Entry, type KeyValueStore, LeaseQueue, MvccCore, toMemoryStore } from '@ashlar/storage';
import { StoredForms } from './stored-form.ts';

/** An entry of a backup of another store. */
export interface BackupEntry {
  readonly key: string;
  readonly value: Uint8Array;
  readonly revision: number;
}

/** A backup of the store of any cluster, as `readSnapshot` of `@ashlar/storage-etcd` returns it. */
export interface Backup {
  readonly revision: number;
  readonly entries: readonly BackupEntry[];
}

export interface OpenSnapshotOptions {
  readonly ambient: Ambient;
  /** Types besides those that every server has. */
  readonly resources?: readonly ResourceDefinition[];
  /** Prefix of the keys; default `/registry`. */
  readonly prefix?: string;
  /** How values are encrypted in the backup. */
  readonly encryption?: Encryption | undefined;
}

/** A backup that can be served. */
export interface OpenedSnapshot {
  /** Content of the backup, in memory; for a server that is `readOnly`. */
  readonly store: KeyValueStore;
  /** Keys of what is not served, and why. */
  readonly skipped: readonly SkippedEntry[];
}

/** What of a backup is not served. */
export interface SkippedEntry {
  /** As in etcd, with the prefix. */
  readonly key: string;
  /** For people. */
  readonly reason: string;
}

/** What API servers store besides objects. */
const BOOKKEEPING = /^(?:masterleases|peerserverleases|ranges|storage|apiserver\.k8s\.io)\//;

/**
 * Brings the content of a backup into memory, in the form in which a server stores it. Objects keep their versions; those of kinds that this
 * server does not have, and those that cannot be read, are skipped and named.
 */
export async function openSnapshot(
  { revision, entries }: Backup,
  { ambient, resources = [], prefix = '/registry', encryption }: OpenSnapshotOptions,
): Promise<OpenedSnapshot> {
  const { clock, vocabulary } = ambient;
  const own = [
    ...builtInResources(vocabulary),
    customResourceDefinitions(vocabulary),
    apiServices(vocabulary),
  ];
  const definitions = [...own, ...resources];
  const forms = new StoredForms(definitions, vocabulary);
  const decrypted = new Decryption(definitions, encryption, vocabulary);
  const served: Entry[] = [];
  const skipped: SkippedEntry[] = [];
  for (const entry of entries) {
    const path = entry.key.slice(prefix.length + 1);
    if (!entry.key.startsWith(`${prefix}/`) || BOOKKEEPING.test(path)) continue;
    try {
      const form = forms.of(path, await decrypted.of(path, entry));
      if (form) served.push({ ...form, revision: entry.revision, memo: undefined });
      else skipped.push({ key: entry.key, reason: 'this server has no such kind' });
    } catch (error) {
      skipped.push({ key: entry.key, reason: errorMessage(error) });
    }
  }
  served.sort((a, b) => (a.key < b.key ? -1 : 1));
  const core = new MvccCore({ clock }, { entries: served, revision });
  const leases = new LeaseQueue({ clock, isCurrent: () => false, expire: () => {} });
  return { store: toMemoryStore(core, leases, { clock }), skipped };
}

/** Decrypts the values that are encrypted. */
class Decryption {
  readonly #encryption: Encryption | undefined;
  readonly #groups: ReadonlyMap<string, string>;
  readonly #prefix: Uint8Array;

  constructor(
    definitions: readonly ResourceDefinition[],
    encryption: Encryption | undefined,
    vocabulary: Vocabulary,
  ) {
    this.#prefix = new TextEncoder().encode(encryptedPrefix(vocabulary));
    this.#encryption = encryption;
    this.#groups = new Map(definitions.map(({ group, names }) => [names.plural, group]));
  }

  async of(path: string, { key, value }: BackupEntry): Promise<Uint8Array> {
    if (!this.#prefix.every((byte, index) => value[index] === byte)) return value;
    if (!this.#encryption) throw new Error('it is encrypted, and there is no encryption configuration');
    const [first = '', second = ''] = path.split('/');
    const group = this.#groups.get(first);
    const resource = group === undefined ? { group: first, resource: second } : { group, resource: first };
    const transformer = this.#encryption.transformerOf(resource);
    return (await transformer.fromStorage(value, new TextEncoder().encode(key))).plaintext;
  }
}
