import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeRandom } from '@ashlar/http-node';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { StateFolder } from './state-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'state-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;
const newFolder = (): StateFolder => new StateFolder(join(root, `${count++}`, 'state'));
const mode = (path: string): number => statSync(path).mode & 0o777;

describe('StateFolder', () => {
  it('creates an identity once, readable only by its owner', async () => {
    const folder = newFolder();
    const identity = await folder.identity(nodeRandom);
    expect(await new StateFolder(folder.path).identity(nodeRandom)).toEqual(identity);
    expect(mode(folder.path)).toBe(0o700);
    for (const name of ['ca.crt', 'server.crt', 'server.key', 'admin.token'])
      expect(mode(folder.file(name))).toBe(0o600);
    expect((await newFolder().identity(nodeRandom)).token).not.toBe(identity.token);
  });

  it('creates it again if a file is missing', async () => {
    const folder = newFolder();
    const before = await folder.identity(nodeRandom);
    rmSync(folder.file('server.key'));
    const after = await folder.identity(nodeRandom);
    expect(after.key).not.toBe(before.key);
    expect(await folder.identity(nodeRandom)).toEqual(after);
  });

  it('writes a kubeconfig', async () => {
    const folder = newFolder();
    const identity = await folder.identity(nodeRandom);
    const path = folder.writeClientConfiguration('https://127.0.0.1:1', identity);
    const configuration = JSON.parse(readFileSync(path, 'utf8'));
    expect(mode(path)).toBe(0o600);
    expect(configuration).toMatchObject({
      kind: 'Config',
      'current-context': 'ashlar',
      clusters: [{ cluster: { server: 'https://127.0.0.1:1' } }],
      users: [{ user: { token: identity.token } }],
    });
    const authority = configuration.clusters[0].cluster['certificate-authority-data'];
    expect(Buffer.from(authority, 'base64').toString()).toBe(identity.certificateAuthority);
  });

  it('restricts the permissions of an existing file', () => {
    const folder = newFolder();
    folder.open();
    writeFileSync(folder.file('a'), 'x', { mode: 0o644 });
    folder.write('a', 'y');
    expect([mode(folder.file('a')), readFileSync(folder.file('a'), 'utf8')]).toEqual([0o600, 'y']);
  });

  it('reports files that cannot be created, read or written', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(() => new StateFolder(join(file, 'state')).open()).toThrow(UsageError);
    const folder = newFolder();
    await folder.identity(nodeRandom);
    rmSync(folder.file('admin.token'));
    new StateFolder(folder.file('admin.token')).open();
    await expect(folder.identity(nodeRandom)).rejects.toThrow(
      `${folder.file('admin.token')} cannot be read (EISDIR)`,
    );
    expect(() => folder.write('admin.token', 'x')).toThrow(/cannot be written \(EISDIR\)$/);
  });
});
