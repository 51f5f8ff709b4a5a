import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { AshlarProcess } from '../ashlar-process.fixture.ts';

const root = mkdtempSync(join(tmpdir(), 'serve-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const newFolder = (): string => mkdtempSync(join(root, 'folder-'));

const MAPS = '/api/v1/namespaces/default/configmaps';
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

interface WireEvent {
  readonly type: string;
  readonly object: { readonly metadata: { readonly name: string; readonly resourceVersion: string } };
}

async function make(server: AshlarProcess, name: string): Promise<string> {
  const response = await server.request('POST', MAPS, {
    body: JSON.stringify({ metadata: { name }, data: { of: name } }),
  });
  const object = JSON.parse(text(await response.body()));
  expect([response.status, object.message]).toEqual([201, undefined]);
  return object.metadata.resourceVersion;
}

/** The next events after a resource version. */
async function events(
  server: AshlarProcess,
  resourceVersion: string,
  count: number,
): Promise<readonly WireEvent[]> {
  const stop = new AbortController();
  const response = await server.request('GET', `${MAPS}?watch=1&resourceVersion=${resourceVersion}`, {
    signal: stop.signal,
  });
  let seen = '';
  for await (const chunk of response.stream()) {
    seen += text(chunk);
    if (seen.split('\n').length > count) break;
  }
  stop.abort();
  return seen
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('ashlar serve', { timeout: 60_000 }, () => {
  it('keeps acknowledged writes when it is killed, and watches resume after a restart', async () => {
    const folder = newFolder();
    await using first = await new AshlarProcess(folder, 'serve', '--secure-port=0').serving();
    const version = await make(first, 'a');
    const last = await make(first, 'b');
    const [token, authority] = [first.file('admin.token'), first.file('ca.crt')];
    await first.kill('SIGKILL');

    await using second = await new AshlarProcess(folder, 'serve', '--secure-port=0').serving();
    expect([second.file('admin.token'), second.file('ca.crt')]).toEqual([token, authority]);
    const retained = await second.request('GET', `${MAPS}/a`);
    expect(JSON.parse(text(await retained.body()))).toMatchObject({
      metadata: { name: 'a', resourceVersion: version },
      data: { of: 'a' },
    });
    await make(second, 'c');
    expect(
      (await events(second, version, 2)).map(({ type, object }) => [type, object.metadata.name]),
    ).toEqual([
      ['ADDED', 'b'],
      ['ADDED', 'c'],
    ]);
    const [next] = await events(second, last, 1);
    expect(next?.object.metadata.name).toBe('c');
  });

  it('rejects a second process on the same file', async () => {
    const folder = newFolder();
    await using first = await new AshlarProcess(folder, 'serve', '--secure-port=0').serving();
    await using second = new AshlarProcess(folder, 'serve', '--secure-port=0');
    expect(await second.ended()).toBe(2);
    expect(second.stderr).toMatch(/^ashlar: flag --storage: .*state\.db.*\n$/);
    expect(second.stderr).toMatch(/another process|in use|locked/);
    expect(second.stdout).toBe('');
    await make(first, 'a');
  });

  it('rejects a file of another vocabulary, and leaves it unchanged', async () => {
    const folder = newFolder();
    await using first = await new AshlarProcess(folder, 'serve', '--secure-port=0').serving();
    await make(first, 'a');
    expect(await first.kill('SIGTERM')).toBe(0);
    await using other = new AshlarProcess(folder, 'serve', '--secure-port=0', '--vocabulary=kubernetes');
    expect(await other.ended()).toBe(2);
    expect(other.stderr).toMatch(
      /^ashlar: flag --vocabulary: .*holds objects of the vocabulary orch, not kubernetes/,
    );
    await using again = await new AshlarProcess(folder, 'serve', '--secure-port=0').serving();
    expect((await again.request('GET', `${MAPS}/a`)).status).toBe(200);
  });

  it('shuts down gracefully on SIGTERM, and ends watches', async () => {
    await using server = await new AshlarProcess(
      newFolder(),
      'serve',
      '--secure-port=0',
      '--storage=memory',
    ).serving();
    const watch = await server.request('GET', `${MAPS}?watch=1`);
    const reading = watch.body();
    await make(server, 'a');
    expect(await server.kill('SIGTERM')).toBe(0);
    expect(text(await reading)).toContain('"name":"a"');
    expect(server.stderr).toBe('');
  });

  it.each([
    [['serve', '--secure-port=0', '--http-socket=missing/socket'], /^ashlar: flag --http-socket: /],
    [
      ['serve', '--secure-port=0', '--bind-address=no.such.host.invalid'],
      /^ashlar: flag --secure-port: cannot listen/,
    ],
  ])('exits immediately with one sentence: %j', async (words, sentence) => {
    await using server = new AshlarProcess(newFolder(), ...words);
    expect(await server.ended()).toBe(2);
    expect([server.stdout, server.stderr]).toEqual(['', expect.stringMatching(sentence)]);
    expect(server.stderr.trimEnd()).not.toContain('\n');
  });

  it('authenticates requests, and rejects anonymous ones', async () => {
    const words = ['serve', '--secure-port=0', '--storage=memory', '--authorization-mode=AlwaysDeny'];
    await using server = await new AshlarProcess(newFolder(), ...words).serving();
    expect((await server.request('GET', MAPS)).status).toBe(200);
    expect((await server.request('GET', MAPS, { headers: { authorization: 'Bearer x' } })).status).toBe(401);
    expect((await server.request('GET', MAPS, { headers: { authorization: '' } })).status).toBe(403);
  });

  it('serves a socket that only its owner can use, also if a stale one exists', async () => {
    const folder = newFolder();
    const socketPath = join(folder, 's');
    const words = ['serve', '--secure-port=0', '--storage=memory', '--http-socket=s', '--anonymous-auth'];
    await using first = await new AshlarProcess(folder, ...words).serving();
    expect(statSync(socketPath).mode & 0o777).toBe(0o600);
    await first.kill('SIGKILL');
    await using second = await new AshlarProcess(folder, ...words).serving();
    const status = await new Promise((resolve, reject) => {
      requestHttp({ socketPath, path: '/readyz' }, (incoming) => resolve(incoming.statusCode))
        .on('error', reject)
        .end();
    });
    expect([status, second.stderr]).toEqual([200, '']);
  });
});
