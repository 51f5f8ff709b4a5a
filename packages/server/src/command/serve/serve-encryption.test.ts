import { rmSync, writeFileSync } from 'node:fs';
import { encodeBase64, kubernetesVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { nodeAmbient } from '@ashlar/http-node';
import { createMemoryStore } from '@ashlar/storage';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { ApiServer } from '../../assembly/api-server.ts';
import { createApiServer } from '../../assembly/create-api-server.ts';
import { KeyPlugin } from '../../encryption/key-plugin.fixture.ts';
import { FilesFolder } from '../files-folder.fixture.ts';
import { createServeEncryption } from './serve-encryption.ts';

const folder = new FilesFolder();
afterAll(() => folder[Symbol.dispose]());
const { file: fileOf } = folder;

const keys = (...names: readonly string[]) => ({
  aesgcm: {
    keys: names.map((name) => ({ name, secret: encodeBase64(new Uint8Array(32).fill(name.charCodeAt(0))) })),
  },
});
const configured = (...providers: readonly object[]): string =>
  JSON.stringify({
    ...{ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration' },
    resources: [{ resources: ['secrets'], providers }],
  });

const disposables: (AsyncDisposable | Disposable)[] = [];
afterEach(async () => {
  for (const each of disposables.splice(0).reverse()) {
    if (Symbol.asyncDispose in each) await each[Symbol.asyncDispose]();
    else each[Symbol.dispose]();
  }
});

/** A server with a file that it reloads. */
async function serve(text: string) {
  const file = fileOf(text);
  // only the interval of reloads is controlled
  const stepped = createSteppedClock();
  const ambient = nodeAmbient(kubernetesVocabulary);
  const reports: string[] = [];
  const flags = { 'encryption-provider-config': file, 'encryption-provider-config-automatic-reload': true };
  const encryption = createServeEncryption(flags, { ...ambient, clock: stepped }, (line) =>
    reports.push(line),
  );
  const engine = createMemoryStore({ clock: ambient.clock });
  const server = createApiServer({
    ...{ ambient, vocabulary: kubernetesVocabulary, storage: engine, controllers: false },
    ...(encryption.atRest && { encryption: encryption.atRest }),
    onError: (error) => reports.push((error as Error).message),
  });
  disposables.push(encryption, server);
  await server.ready;
  encryption.follow(server);
  const reload = async (next: string): Promise<string> => {
    const before = reports.length;
    writeFileSync(file, next);
    stepped.advance(60_000);
    return vi.waitFor(
      () => {
        expect(reports.length).toBeGreaterThan(before);
        return reports.at(-1) as string;
      },
      { timeout: 60_000 },
    );
  };
  return { file, engine, server, reports, reload };
}

const SECRETS = '/api/v1/namespaces/default/secrets';
const call = async (server: ApiServer, method: string, path: string, body?: object): Promise<Response> =>
  server.fetch(
    new Request(`http://server${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
const isStoredWith = (engine: ReturnType<typeof createMemoryStore>, prefix: string): boolean =>
  new TextDecoder('latin1').decode(engine.get('/secrets/default/a')?.value).startsWith(prefix);

describe('--encryption-provider-config', () => {
  it.each([
    [{ 'encryption-provider-config': '/no/such/file' }, 'flag --encryption-provider-config: ENOENT'],
    [
      { 'encryption-provider-config-automatic-reload': true },
      'flag --encryption-provider-config-automatic-reload must be set with --encryption-provider-config',
    ],
    [
      { 'encryption-provider-config': fileOf(configured()) },
      'error while parsing file: resources[0].providers: Required value: at least one resources[0].providers is required',
    ],
  ])('refuses %j', (flags, message) => {
    expect(() => createServeEncryption(flags, nodeAmbient(kubernetesVocabulary), () => {})).toThrow(message);
  });

  it('encrypts, and rewrites with the new key after a reload, even if nothing changes', async () => {
    const { engine, server, reload } = await serve(configured(keys('a')));
    await call(server, 'POST', SECRETS, secret);
    expect(isStoredWith(engine, 'k8s:enc:aesgcm:v1:a:')).toBe(true);
    const stored = (await (await call(server, 'GET', `${SECRETS}/a`)).json()) as {
      metadata: { resourceVersion: string };
    };
    expect(await reload(configured(keys('b', 'a')))).toBe(
      'ashlar: the encryption configuration was reloaded\n',
    );
    const put = (await (await call(server, 'PUT', `${SECRETS}/a`, stored)).json()) as typeof stored;
    expect(put.metadata.resourceVersion).not.toBe(stored.metadata.resourceVersion);
    expect(isStoredWith(engine, 'k8s:enc:aesgcm:v1:b:')).toBe(true);
    const again = (await (await call(server, 'PUT', `${SECRETS}/a`, put)).json()) as typeof stored;
    expect(again.metadata.resourceVersion).toBe(put.metadata.resourceVersion);
    expect(server.metrics.text()).toContain(
      'apiserver_encryption_config_controller_automatic_reloads_total{apiserver_id_hash="",status="success"} 1',
    );
  });

  it('keeps the last configuration if a changed one is invalid, or its key service does not answer', async () => {
    const { engine, server, reload, file } = await serve(configured(keys('a')));
    expect(await reload('{}')).toContain(
      'the encryption configuration was not reloaded: error while parsing file: ',
    );
    const kms = { kms: { apiVersion: 'v2', name: 'c', endpoint: 'unix:///nowhere/kms.sock', timeout: '1s' } };
    expect(await reload(configured(kms))).toContain(
      'was not reloaded: kms-provider-0: failed to perform status section of the healthz check for KMS Provider c, error: ',
    );
    rmSync(file);
    await call(server, 'POST', SECRETS, secret);
    expect(isStoredWith(engine, 'k8s:enc:aesgcm:v1:a:')).toBe(true);
    expect(server.metrics.text()).toContain(
      'apiserver_encryption_config_controller_automatic_reloads_total{apiserver_id_hash="",status="failure"} 2',
    );
  });

  it('shows the health of key services, and fails requests without them', async () => {
    const plugin = await KeyPlugin.start();
    disposables.push(plugin);
    const kms = { kms: { apiVersion: 'v2', name: 'cloud', endpoint: plugin.endpoint, timeout: '1s' } };
    const { engine, server } = await serve(configured(kms));
    expect((await call(server, 'POST', SECRETS, secret)).status).toBe(201);
    expect(isStoredWith(engine, 'k8s:enc:kms:v2:cloud:')).toBe(true);
    for (const path of ['/healthz', '/livez', '/readyz'])
      expect(await (await call(server, 'GET', `${path}?verbose`)).text()).toContain('[+]kms-providers ok');
    expect(server.metrics.text()).toMatch(
      /apiserver_envelope_encryption_key_id_hash_total\{transformation_type="to_storage",provider_name="cloud",key_id_hash="sha256:[0-9a-f]{64}",apiserver_id_hash=""\} 1/,
    );
  });

  it('starts without its key service, and is not ready', async () => {
    const kms = { kms: { apiVersion: 'v2', name: 'c', endpoint: 'unix:///nowhere/kms.sock', timeout: '1s' } };
    const { server, reports } = await serve(configured(kms, { identity: {} }));
    expect(reports[0]).toContain('KMS Provider c, error: rpc error: code = Unavailable');
    expect((await call(server, 'GET', '/readyz')).status).toBe(500);
    const refused = await call(server, 'POST', SECRETS, secret);
    expect(await refused.json()).toMatchObject({
      code: 500,
      message: 'Internal error occurred: got unexpected nil transformer',
    });
  });
});
