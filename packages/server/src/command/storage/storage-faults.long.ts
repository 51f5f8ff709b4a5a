import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ASHLAR, AshlarProcess } from '../ashlar-process.fixture.ts';

const root = mkdtempSync(join(tmpdir(), 'storage-faults-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const newFolder = (): string => mkdtempSync(join(root, 'folder-'));

const MAPS = '/api/v1/namespaces/default/configmaps';
const textOf = async (response: { body(): Promise<Uint8Array> }): Promise<string> =>
  new TextDecoder().decode(await response.body());

/** The stderr and exit status of a server whose files are limited to that size. */
function ended(
  folder: string,
  kibibytes: number | 'unlimited',
): Promise<{ status: unknown; stderr: string }> {
  const words = ['-c', `ulimit -f ${kibibytes}; exec "$0" "$@"`, process.execPath, ...ASHLAR];
  const serve = ['serve', '--secure-port=0', '--storage=sqlite:state.db'];
  return new Promise((resolve) => {
    execFile('bash', [...words, ...serve], { cwd: folder, timeout: 30_000 }, (error, _, stderr) =>
      resolve({ status: error?.code, stderr }),
    );
  });
}

describe('ashlar serve over storage that fails', { timeout: 60_000 }, () => {
  it('rejects writes once its file is deleted, is not ready, and reports it', async () => {
    const folder = newFolder();
    await using server = await new AshlarProcess(folder, 'serve', '--secure-port=0').serving();
    const file = join(folder, '.ashlar', 'state.db');
    for (const name of [file, `${file}-wal`]) expect(statSync(name).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, '.ashlar')).mode & 0o777).toBe(0o700);
    expect((await server.request('GET', '/readyz')).status).toBe(200);
    unlinkSync(file);
    const refused = await server.request('POST', MAPS, { body: '{"metadata":{"name":"a"}}' });
    const sentence =
      'takes no writes: the file has been removed, and what is written would be gone at the next start';
    expect([refused.status, JSON.parse(await textOf(refused)).message]).toEqual([
      503,
      `the storage ${sentence}`,
    ]);
    await expect
      .poll(async () => textOf(await server.request('GET', '/readyz')), { timeout: 5000 })
      .toContain('[-]etcd-readiness failed');
    expect((await server.request('GET', MAPS)).status).toBe(200);
    expect(server.stderr).toContain(`ashlar: the store .ashlar/state.db ${sentence}\n`);
  });

  it('exits with a sentence if the disk fails at the start', async () => {
    const { status, stderr } = await ended(newFolder(), 8);
    expect([status, stderr]).toEqual([1, 'ashlar: the store state.db has failed: disk I/O error\n']);
  });

  it('exits with a sentence if the file is damaged', async () => {
    const folder = newFolder();
    const first = new AshlarProcess(folder, 'serve', '--secure-port=0', '--storage=sqlite:state.db');
    await first.serving();
    await first.kill('SIGTERM');
    const size = statSync(join(folder, 'state.db')).size;
    writeFileSync(join(folder, 'state.db'), Buffer.alloc(size - 8192, 0xaa), { flag: 'r+' });
    const { status, stderr } = await ended(folder, 'unlimited');
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/^ashlar: .*the store state\.db is not an SQLite database\n$/);
  });

  it.skipIf(process.getuid?.() === 0)('exits with a sentence if it may not write', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, '.ashlar'), { mode: 0o700 });
    chmodSync(folder, 0o500);
    const { status, stderr } = await ended(folder, 'unlimited');
    expect([status, stderr.split('\n').length]).toEqual([2, 2]);
    expect(stderr).toContain('permission is denied');
  });
});
