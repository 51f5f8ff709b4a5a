import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommand } from './command.ts';

const root = mkdtempSync(join(tmpdir(), 'command-'));
afterAll(() => rmSync(root, { recursive: true }));

async function run(...words: readonly string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  let stdout = '';
  let stderr = '';
  const status = await runCommand(words, {
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
    signal: AbortSignal.abort(),
  });
  return { status, stdout, stderr };
}

describe('ashlar', () => {
  it('prints its help', async () => {
    for (const words of [['--help'], ['help'], ['-h']]) {
      const { status, stdout, stderr } = await run(...words);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toContain('ashlar serve [flags]');
      expect(stdout).toContain('--secure-port PORT');
    }
    const nothing = await run();
    expect([nothing.status, nothing.stdout.includes('ashlar serve')]).toEqual([2, true]);
  });

  it('prepares nothing where its code cannot be kept', async () => {
    expect(await run('prepare')).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'ashlar: prepare needs the built command, in a folder that this user may write to and others may not\n',
    });
    expect((await run('prepare', 'now')).stderr).toBe(
      'ashlar: unexpected argument "now"; see ashlar --help\n',
    );
  });

  it('prints the flags of one command, with a gap behind the longest', async () => {
    const { stdout, status } = await run('vet', '--help');
    expect(status).toBe(0);
    expect(stdout).toContain('--expression TEXT');
    expect(stdout).not.toContain('--secure-port');
    const { stdout: serve } = await run('serve', '--bogus', '-h');
    expect(serve).not.toContain('--expression');
    const lines = serve.split('\n').filter((line) => line.startsWith('  --'));
    expect(lines.length).toBeGreaterThan(50);
    for (const line of lines) expect(line).toMatch(/^ {2}--[a-z0-9-]+(?: \S+)? {2,}\S/);
  });

  it.each([
    [
      ['serve', '--port', '80'],
      'ashlar: unknown flag: --port, did you mean --secure-port?; see ashlar --help\n',
    ],
    [
      ['serve', '--vocabularry=orch'],
      'ashlar: unknown flag: --vocabularry, did you mean --vocabulary?; see ashlar --help\n',
    ],
    [['sevre'], 'ashlar: unknown command "sevre", did you mean "serve"?; see ashlar --help\n'],
    [
      ['--storage=memory'],
      'ashlar: unknown command "--storage=memory", did you mean "ashlar serve --storage=memory"?; see ashlar --help\n',
    ],
  ])('suggests what was meant by %j', async (words, text) => {
    expect(await run(...words)).toEqual({ status: 2, stdout: '', stderr: text });
  });

  it('prints its version', async () => {
    expect((await run('--version')).stdout).toMatch(/^v\d+\.\d+\.\d+.*\n$/);
  });

  const missing = join(root, 'missing');
  const empty = join(root, 'empty');
  writeFileSync(empty, '');
  const garbage = join(root, 'garbage');
  writeFileSync(garbage, 'no certificate');
  it.each([
    [['bogus'], 'unknown command "bogus"; see ashlar --help'],
    [['serve', '--bogus'], 'unknown flag: --bogus; see ashlar --help'],
    [['serve', '--secure-port'], 'flag --secure-port needs a value'],
    [['serve', '--secure-port=x'], 'flag --secure-port: x is not an integer from 0 to 65535'],
    [['serve', '--tls-cert-file', missing], 'flag --tls-private-key-file is needed with --tls-cert-file'],
    [
      ['serve', '--tls-private-key-file', missing],
      'flag --tls-cert-file is needed with --tls-private-key-file, --token-auth-file or --client-ca-file',
    ],
    [
      ['serve', '--controllers=*,none'],
      'flag --controllers: unknown controller none; known controllers are namespace, ',
    ],
    [
      ['serve', '--cluster-signing-key-file', missing],
      'flag --cluster-signing-key-file needs --cluster-signing-cert-file',
    ],
    [
      ['serve', '--cluster-signing-duration=1h'],
      'flag --cluster-signing-duration needs --cluster-signing-cert-file',
    ],
    [
      ['serve', '--cluster-signing-cert-file', garbage, '--cluster-signing-key-file', garbage],
      'flag --cluster-signing-cert-file: the certificate cannot be read',
    ],
    [['serve', '--root-ca-file', garbage], `flag --root-ca-file: ${garbage}: it contains no certificate`],
    [
      ['serve', '--token-auth-file', missing],
      'flag --tls-cert-file is needed with --tls-private-key-file, --token-auth-file or --client-ca-file',
    ],
    [
      ['serve', '--tls-cert-file', missing, '--tls-private-key-file', empty],
      `flag --tls-cert-file: ${missing} cannot be read (ENOENT)`,
    ],
    [
      ['serve', '--cert-dir', missing, '--token-auth-file', empty],
      `flag --tls-cert-file: ${missing}/apiserver.crt cannot be read (ENOENT)`,
    ],
    [
      ['serve', '--allow-privileged=false'],
      'flag --allow-privileged: privileged containers are always accepted; the levels of PodSecurity refuse them',
    ],
    [
      ['serve', '--tls-cert-file', empty, '--tls-private-key-file', root],
      `flag --tls-private-key-file: ${root} cannot be read (EISDIR)`,
    ],
    [
      ['serve', '--tls-cert-file', empty, '--tls-private-key-file', empty, '--client-ca-file', missing],
      `flag --client-ca-file: ${missing} cannot be read (ENOENT)`,
    ],
    [
      ['serve', '--tls-cert-file', empty, '--tls-private-key-file', empty, '--token-auth-file', missing],
      `flag --token-auth-file: ${missing} cannot be read (ENOENT)`,
    ],
    [
      ['serve', '--tls-cert-file', empty, '--tls-private-key-file', empty, '--token-auth-file', garbage],
      `flag --token-auth-file: ${garbage}: `,
    ],
    [
      ['serve', '--storage=memory', '--tls-cert-file', garbage, '--tls-private-key-file', garbage],
      'flag --tls-cert-file: the certificate and its key cannot be used (',
    ],
    [
      ['serve', '--storage=memory', '--etcd-servers=http://127.0.0.1:1'],
      'flags --storage and --etcd-servers exclude each other',
    ],
  ])('rejects %j with one sentence', async (words, sentence) => {
    const { status, stdout, stderr } = await run(...words);
    expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining(`ashlar: ${sentence}`)]);
    expect(stderr.trimEnd()).not.toContain('\n');
  });
});
