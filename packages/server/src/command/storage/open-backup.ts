import { type Ambient, Metrics, type Vocabulary } from '@ashlar/core';
import { createEncryption, createEncryptionMetrics, type Encryption } from '@ashlar/encryption';
import { nodeAmbient } from '@ashlar/http-node';
import type { KeyValueStore } from '@ashlar/storage';
import { resourcesOf } from '../../assembly/resources-of-vocabulary.ts';
import { nodeAesGcm } from '../../encryption/node-aes-gcm.ts';
import type { EncryptionAtRest } from '../../encryption/server-encryption.ts';
import { openSnapshot } from '../../snapshot/open-snapshot.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';

/** What opening a backup needs besides the file. */
export interface BackupOptions {
  readonly report: (text: string) => void;
  /** How values of a backup are encrypted. */
  readonly encryption: EncryptionAtRest | undefined;
}

/** Maximum number of skipped entries that are reported by name. */
const MAXIMUM_REPORTED = 10;

/**
 * Opens a snapshot of etcd, and reports the entries that are not served.
 * @throws Error if the file cannot be used, or has nothing of the vocabulary
 */
export async function openBackup(
  file: string,
  flags: ServeFlags,
  vocabulary: Vocabulary,
  { report, encryption }: BackupOptions,
): Promise<KeyValueStore> {
  const { readSnapshot } = await import('@ashlar/storage-etcd');
  const prefix = flags['etcd-prefix'];
  const ambient = nodeAmbient(vocabulary);
  using decryption = encryption && decryptionOf(encryption, ambient);
  await decryption?.start(({ message }) => report(`ashlar: ${message}\n`));
  const { store, skipped } = await openSnapshot(readSnapshot(file), {
    ambient,
    resources: await resourcesOf(vocabulary),
    ...(decryption && { encryption: decryption }),
    ...(prefix !== undefined && { prefix }),
  });
  const isEmpty = (await store.range('', { limit: 1 })).entries.length === 0;
  if (isEmpty)
    throw new Error(
      `${file} has no object of the vocabulary ${vocabulary.name}; choose another one with --vocabulary`,
    );
  for (const { key, reason } of skipped.slice(0, MAXIMUM_REPORTED))
    report(`ashlar: ${key} is not served: ${reason}\n`);
  if (skipped.length > MAXIMUM_REPORTED)
    report(`ashlar: ${skipped.length - MAXIMUM_REPORTED} more are not served\n`);
  return store;
}

/** Decrypts values that the server of a backup had encrypted. */
function decryptionOf({ configuration, connect }: EncryptionAtRest, ambient: Ambient): Encryption {
  const metrics = createEncryptionMetrics(new Metrics(), ambient.clock);
  return createEncryption(configuration, {
    ambient,
    metrics,
    aesGcm: nodeAesGcm,
    ...(connect && { connect }),
  });
}
