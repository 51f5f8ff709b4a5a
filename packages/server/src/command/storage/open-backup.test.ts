import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Metrics, orchVocabulary, kubernetesVocabulary as vocabulary } from '@ashlar/core';
import { createEncryption, createEncryptionMetrics } from '@ashlar/encryption';
import { nodeAmbient } from '@ashlar/http-node';
import { afterAll, expect, test } from 'vitest';
import { boltFile } from '../../../../storage-etcd/src/snapshot/bolt-file.fixture.ts';
import { openBackup } from './open-backup.ts';

const folder = mkdtempSync(join(tmpdir(), 'ashlar-backup-'));
const file = join(folder, 'backup.db');
afterAll(() => rmSync(folder, { recursive: true }));

const ambient = nodeAmbient(vocabulary);
const KEY = '/registry/secrets/default/a';
const secret = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'a', namespace: 'default' },
});
const configuration = {
  resources: [
    {
      resources: ['secrets'],
      providers: [{ aesgcm: { keys: [{ name: 'one', secret: btoa('k'.repeat(32)) }] } }],
    },
  ],
};

async function encryptedSecret(): Promise<Uint8Array> {
  const metrics = createEncryptionMetrics(new Metrics(), ambient.clock);
  using encryption = createEncryption(configuration, { ambient, metrics });
  const transformer = encryption.transformerOf({ group: '', resource: 'secrets' });
  return transformer.toStorage(new TextEncoder().encode(secret), new TextEncoder().encode(KEY));
}

test('a backup is opened with the encryption configuration of its cluster', async () => {
  const told: string[] = [];
  const report = (text: string): void => void told.push(text);
  const namespace = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  writeFileSync(
    file,
    boltFile([
      { key: KEY, value: await encryptedSecret() },
      { key: '/registry/namespaces/default', value: namespace },
    ]),
  );
  const without = await openBackup(file, {}, vocabulary, { report, encryption: undefined });
  expect(await without.get('/secrets/default/a')).toBeUndefined();
  expect(told).toEqual([
    `ashlar: ${KEY} is not served: it is encrypted, and there is no encryption configuration\n`,
  ]);
  const store = await openBackup(file, {}, vocabulary, { report, encryption: { configuration } });
  expect((await store.get('/secrets/default/a'))?.revision).toBe(2);
  expect(told).toHaveLength(1);
  await expect(
    openBackup(file, { 'etcd-prefix': '/other' }, vocabulary, { report, encryption: undefined }),
  ).rejects.toThrow('backup.db has no object of the vocabulary kubernetes');
  const orch = openBackup(file, {}, orchVocabulary, { report, encryption: undefined });
  expect(await (await orch).get('/namespaces/default')).toBeDefined();
});
