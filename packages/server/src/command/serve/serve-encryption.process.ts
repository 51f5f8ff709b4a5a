import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeBase64 } from '@ashlar/core';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { AshlarProcess } from '../ashlar-process.fixture.ts';

// processes are started, also on busy machines
vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'serve-encryption-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SECRETS = '/api/v1/namespaces/default/secrets';
const COUNT = 30;
/** Of which each secret has one of its own in the store. */
const content = (i: number): string =>
  encodeBase64(new TextEncoder().encode(`content of secret number ${i}`));

function configure(...names: readonly string[]): void {
  const keys = names.map((name) => ({
    name,
    secret: encodeBase64(new Uint8Array(32).fill(name.charCodeAt(0))),
  }));
  const resources = [{ resources: ['secrets'], providers: [{ aesgcm: { keys } }] }];
  const configuration = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources,
  };
  writeFileSync(join(folder, 'keys.yaml'), JSON.stringify(configuration));
}

const serve = (): Promise<AshlarProcess> =>
  new AshlarProcess(
    folder,
    ...['serve', '--secure-port=0', '--vocabulary=kubernetes', '--encryption-provider-config=keys.yaml'],
  ).serving();

interface Secret {
  readonly metadata: { readonly name: string };
  readonly data: { readonly k: string };
}

async function ask(server: AshlarProcess, method: string, path: string, object?: unknown): Promise<unknown> {
  const body = object === undefined ? {} : { body: JSON.stringify(object) };
  const response = await server.request(method, path, body);
  const result = JSON.parse(new TextDecoder().decode(await response.body()));
  if (response.status >= 300) throw new Error(JSON.stringify(result));
  return result;
}

const listed = async (server: AshlarProcess): Promise<readonly Secret[]> =>
  ((await ask(server, 'GET', SECRETS)) as { items: readonly Secret[] }).items;

/** Writes every secret as it is. */
async function rewrite(server: AshlarProcess, done: (count: number) => void = () => {}): Promise<void> {
  let count = 0;
  for (const secret of await listed(server)) {
    const object = { apiVersion: 'v1', kind: 'Secret', ...secret };
    await ask(server, 'PUT', `${SECRETS}/${secret.metadata.name}`, object);
    done(++count);
  }
}

const contents = (secrets: readonly Secret[]): readonly string[] => secrets.map(({ data }) => data.k).sort();

describe('ashlar serve --encryption-provider-config', () => {
  it('loses nothing when it is killed in the middle of a rotation, and needs the old key no more after it', async () => {
    configure('a');
    const first = await serve();
    for (let i = 0; i < COUNT; i++)
      await ask(first, 'POST', SECRETS, { metadata: { name: `s${i}` }, data: { k: content(i) } });
    const all = contents(await listed(first));
    expect(all).toHaveLength(COUNT);
    await first.kill('SIGTERM');

    configure('b', 'a');
    const killed = await serve();
    const rotation = rewrite(killed, (count) => {
      if (count === COUNT / 2) void killed.kill('SIGKILL');
    });
    await expect(rotation).rejects.toThrow();

    await using last = await serve();
    expect(contents(await listed(last))).toEqual(all);
    await rewrite(last);
    await last.kill('SIGTERM');

    configure('b');
    await using rotated = await serve();
    expect(contents(await listed(rotated))).toEqual(all);
    await rotated.kill('SIGTERM');
    for (const file of ['state.db'])
      expect(readFileSync(join(folder, '.ashlar', file), 'latin1')).not.toContain('content of secret');
  });
});
