import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { afterAll, describe, expect, it } from 'vitest';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { UsageError } from '../usage-error.ts';
import { openStorage, storageLocation } from './open-storage.ts';
import { StateFolder } from './state-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'storage-'));
afterAll(() => rmSync(root, { recursive: true }));
const folder = new StateFolder(join(root, 'state'));

describe('storageLocation', () => {
  it('is that of the flags, or a file in the state folder by default', () => {
    expect(storageLocation({}, folder)).toEqual({ engine: 'sqlite', file: join(root, 'state', 'state.db') });
    expect(storageLocation({ storage: { engine: 'memory' } }, folder)).toEqual({ engine: 'memory' });
    const endpoints = ['http://a:1'];
    expect(storageLocation({ 'etcd-servers': endpoints }, folder)).toEqual({ engine: 'etcd', endpoints });
  });

  it.each<[ServeFlags, string]>([
    [
      { storage: { engine: 'memory' }, 'etcd-servers': ['http://a:1'] },
      'flags --storage and --etcd-servers exclude each other',
    ],
    [
      { snapshot: 'a.db', storage: { engine: 'memory' } },
      'flag --snapshot excludes --storage and --etcd-servers',
    ],
    [{ 'postgres-schema': 'x' }, 'flag --postgres-schema needs --storage postgres://HOST/DATABASE'],
    [{ 'etcd-prefix': '/x' }, 'flag --etcd-prefix needs --etcd-servers or --storage etcd:URL'],
    [
      { 'etcd-compaction-interval': 1000 },
      'flag --etcd-compaction-interval needs --etcd-servers or --storage etcd:URL',
    ],
    [
      { storage: { engine: 'memory' }, 'etcd-cafile': 'x' },
      'flag --etcd-cafile needs --etcd-servers or --storage etcd:URL',
    ],
  ])('rejects flags that contradict each other: %j', (flags, why) => {
    expect(() => storageLocation(flags, folder)).toThrow(new UsageError(why));
  });
});

describe('openStorage', () => {
  it('reopens a file with the same vocabulary only', async () => {
    const file = join(root, 'a.db');
    const location = { engine: 'sqlite', file } as const;
    const first = await openStorage(location, {}, orchVocabulary);
    await first.put('/a', new TextEncoder().encode('x'));
    await first[Symbol.asyncDispose]();
    await expect(openStorage(location, {}, kubernetesVocabulary)).rejects.toThrow(
      /^flag --vocabulary: .* vocabulary orch, not kubernetes/,
    );
    const again = await openStorage(location, {}, orchVocabulary);
    expect(new TextDecoder().decode((await again.get('/a'))?.value)).toBe('x');
    await again[Symbol.asyncDispose]();
  });

  it('reports why a store cannot be used', async () => {
    const file = join(root, 'no-database');
    writeFileSync(file, 'x'.repeat(10_000));
    const refused = openStorage({ engine: 'sqlite', file }, {}, orchVocabulary);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(/^flag --storage: .*no-database/);
    const etcd = { engine: 'etcd', endpoints: ['http://127.0.0.1:1'] } as const;
    const flags = { 'etcd-servers': etcd.endpoints, 'etcd-certfile': file };
    await expect(openStorage(etcd, flags, orchVocabulary)).rejects.toThrow(
      'flags --etcd-certfile and --etcd-keyfile need each other',
    );
    await expect(
      openStorage({ engine: 'snapshot', file }, { snapshot: file }, orchVocabulary),
    ).rejects.toThrow(/^flag --snapshot: .*no-database cannot be used: it is not the database of an etcd/);
    const connectionString = 'postgres://ann@127.0.0.1:1/shop';
    const schema = { 'postgres-schema': 'Not a name' };
    await expect(
      openStorage({ engine: 'postgres', connectionString }, schema, orchVocabulary),
    ).rejects.toThrow(/^flag --storage: the schema "Not a name" is not a name of lower case letters/);
    const missing = { 'etcd-servers': etcd.endpoints, 'etcd-cafile': join(root, 'missing') };
    await expect(openStorage(etcd, missing, orchVocabulary)).rejects.toThrow(
      /^flag --etcd-cafile: .*missing cannot be read \(ENOENT\)/,
    );
  });
});
