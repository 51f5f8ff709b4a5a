import { join, relative } from 'node:path';
import { createClient } from '@ashlar/client';
import { kubernetesVocabulary, type Transport } from '@ashlar/core';
import { createHttp2Transport, createNodeTransport, nodeAmbient } from '@ashlar/http-node';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as certificates from '../../http-node/src/listener/certificates.fixture.ts';
import { proxyTests } from '../../http-node/src/transport/proxies.fixture.ts';
import { type LoadConnectionOptions, type LoadedConnection, loadConnection } from './load-connection.ts';
import { type LoginServer, startLoginServer } from './login-server.fixture.ts';
import { configurationOf, Machine } from './machine.fixture.ts';

let machine: Machine;
let server: LoginServer;
let now = 0;
const made: Disposable[] = [];
beforeEach(async () => {
  machine = new Machine();
  server = await startLoginServer();
});
afterEach(async () => {
  for (const each of made.splice(0)) each[Symbol.dispose]();
  machine[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

const node = nodeAmbient(kubernetesVocabulary);
/** Time as the test sets it. */
const ambient = { ...node, clock: { ...node.clock, now: () => now, monotonic: () => now } };
const environment = { PATH: process.env.PATH, MARK: 'inherited' };

function load(user: object, options: Partial<LoadConnectionOptions> = {}): LoadedConnection {
  const file = machine.write('config', configurationOf(server.cluster, user));
  const connection = loadConnection({ ambient, file, environment, ...options });
  made.push(connection);
  return connection;
}

async function get(connection: LoadedConnection, path = '/'): Promise<void> {
  await createClient(connection).request({ method: 'GET', path });
}

const seen = () => server.callers.splice(0).map(({ authorization }) => authorization);

describe('a token file', () => {
  it('is reread after a minute, and after a 401', async () => {
    machine.write('token', 'one\n');
    const connection = load({ tokenFile: 'token' });
    machine.write('token', 'two\n');
    await get(connection);
    now += 60_000;
    await get(connection);
    expect(seen()).toEqual(['Bearer one', 'Bearer two']);
    machine.write('token', 'three\n');
    server.accept = ({ authorization }) => authorization === 'Bearer three';
    await get(connection);
    expect(seen()).toEqual(['Bearer two', 'Bearer three']);
  });
});

describe('a proxy', () => {
  const proxies = proxyTests();

  it.each([
    ['HTTP/1.1', createNodeTransport],
    ['HTTP/2', createHttp2Transport],
  ])('is that of the cluster, over %s', async (_, createTransport) => {
    const proxy = await proxies.http();
    const transport = createTransport();
    made.push(transport);
    const file = machine.write(
      'config',
      configurationOf({ ...server.cluster, 'proxy-url': `http://${proxy.address}` }, { token: 't' }),
    );
    await get(loadConnection({ ambient, file, environment, transport }));
    expect([seen(), proxy.asked.length]).toEqual([['Bearer t'], 1]);
  });

  it('from the environment is not used for servers of this machine', async () => {
    await get(load({ token: 't' }, { environment: { ...environment, HTTPS_PROXY: 'http://127.0.0.1:1' } }));
    expect(seen()).toEqual(['Bearer t']);
  });

  it('from the environment must be valid', () => {
    const other = configurationOf({ server: 'https://h' }, {});
    const file = machine.write('other', other);
    const open = () =>
      loadConnection({ ambient, file, environment: { ...environment, HTTPS_PROXY: 'ftp://S3CRET' } });
    expect(open).toThrow('HTTPS_PROXY is not an http, https or socks5 URL');
  });
});

describe('a program in a pod', () => {
  const inPod = (variables: object = {}): LoadedConnection => {
    const { hostname, port } = new URL(server.url);
    const place = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    const serviceAccountFolder = machine.folder;
    const connection = loadConnection({
      ...{ ambient, environment: { ...place, ...variables }, serviceAccountFolder },
    });
    made.push(connection);
    return connection;
  };

  it('uses the server of its cluster as its service account', async () => {
    machine.write('ca.crt', certificates.authority);
    machine.write('token', 'one');
    machine.write('namespace', 'home\n');
    const connection = inPod();
    await get(connection);
    machine.write('token', 'two');
    now += 60_000;
    await get(connection);
    expect([seen(), connection.namespace]).toEqual([['Bearer one', 'Bearer two'], 'home']);
  });

  it('may have no namespace', () => {
    machine.write('ca.crt', certificates.authority);
    machine.write('token', 'one');
    expect(inPod().namespace).toBe('default');
    machine.write('namespace', 'of-file');
    expect(inPod({ POD_NAMESPACE: 'told' }).namespace).toBe('told');
  });

  it('prefers a configuration file', async () => {
    const file = machine.write('config', configurationOf(server.cluster, { token: 'of-file' }));
    await get(inPod({ KUBECONFIG: file }));
    expect(seen()).toEqual(['Bearer of-file']);
  });

  it.each([
    ['ca.crt', 'token'],
    ['token', 'ca.crt'],
  ])('fails if it has %s but no %s', (there, missing) => {
    machine.write(there, certificates.authority);
    expect(() => inPod()).toThrow(`${join(machine.folder, missing)} cannot be read (ENOENT)`);
  });

  it('may have an IPv6 address', () => {
    machine.write('ca.crt', certificates.authority);
    machine.write('token', 'one');
    const place = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    expect(inPod(place).baseUrl).toBe('https://[fd00::1]');
  });
});

describe('a credential plugin', () => {
  it('is a process with an environment, arguments and cluster info', async () => {
    const plugin = machine.plugin('bin/plugin');
    plugin.prints({ token: 'secret' });
    await get(
      load(machine.exec('bin/plugin', { args: ['a', 'b c'], env: [{ name: 'MARK', value: 'own' }] })),
    );
    await get(
      load(machine.exec('plugin', { provideClusterInfo: true }), {
        environment: { ...environment, PATH: `${machine.folder}/bin:${environment.PATH}` },
      }),
    );
    const apiVersion = 'client.authentication.k8s.io/v1';
    const kind = 'ExecCredential';
    expect(plugin.runs).toEqual([
      { info: { apiVersion, kind, spec: { interactive: false } }, mark: 'own', args: 'a b c' },
      {
        info: {
          apiVersion,
          kind,
          spec: { interactive: false, cluster: { ...server.cluster, config: null } },
        },
        ...{ mark: 'inherited', args: '' },
      },
    ]);
    expect(seen()).toEqual(['Bearer secret', 'Bearer secret']);
  });

  it('is run again after a 401, and when its credentials have expired', async () => {
    const plugin = machine.plugin('plugin');
    plugin.prints({ token: 'one', expirationTimestamp: new Date(now + 1000).toISOString() });
    const connection = load(machine.exec('./plugin'));
    await get(connection);
    plugin.prints({ token: 'two' });
    await get(connection);
    now += 1001;
    await get(connection);
    expect(seen()).toEqual(['Bearer one', 'Bearer one', 'Bearer two']);
    plugin.prints({ token: 'three' });
    server.accept = ({ authorization }) => authorization === 'Bearer three';
    await Promise.all([get(connection), get(connection), get(connection)]);
    expect(seen().filter((each) => each === 'Bearer three')).toHaveLength(3);
    expect(plugin.runs).toHaveLength(3);
  });

  it('may return the older version if that is configured', async () => {
    const apiVersion = 'client.authentication.k8s.io/v1beta1';
    const plugin = machine.plugin('plugin');
    plugin.prints({ token: 'old' }, apiVersion);
    await get(load(machine.exec('./plugin', { apiVersion, interactiveMode: undefined })));
    expect(seen()).toEqual(['Bearer old']);
    expect(plugin.runs[0]?.info.apiVersion).toBe(apiVersion);
    await expect(get(load(machine.exec('./plugin')))).rejects.toThrow(
      'it did not print an ExecCredential of client.authentication.k8s.io/v1',
    );
  });

  it.each<[string, () => Transport & Disposable]>([
    ['HTTP/1.1', createNodeTransport],
    ['HTTP/2', createHttp2Transport],
  ])('that returns another certificate causes a new handshake, over %s', async (_protocol, create) => {
    const transport = create();
    made.push(transport);
    const plugin = machine.plugin('plugin');
    const statusOf = ({ certificate, key }: { certificate: string; key: string }) => ({
      ...{ clientCertificateData: certificate, clientKeyData: key },
      expirationTimestamp: new Date(now + 1000).toISOString(),
    });
    plugin.prints(statusOf(certificates.client));
    const connection = load(machine.exec('./plugin'), { transport });
    const watch = await createClient(connection).open({ method: 'GET', path: '/watch' });
    const pieces = watch.stream()[Symbol.asyncIterator]();
    await pieces.next();
    await get(connection);
    const anna = server.callers.splice(0);
    expect(anna.map(({ certificate }) => certificate)).toEqual(['CN=anna', 'CN=anna']);

    plugin.prints(statusOf(certificates.clientOfIntermediate));
    now += 1001;
    await get(connection);
    await get(connection);
    const bertil = server.callers.splice(0);
    expect(bertil.map(({ certificate }) => certificate)).toEqual(['CN=bertil', 'CN=bertil']);
    const [first, second] = bertil.map((caller) => caller.connection);
    expect(second).toBe(first);
    expect(anna.map((caller) => caller.connection)).not.toContain(first);
    await expect(pieces.next()).rejects.toThrow('the certificate of the connection has been replaced');
  });

  it('that returns a key of another certificate is rejected', async () => {
    const plugin = machine.plugin('plugin');
    const { key } = certificates.stranger;
    plugin.prints({ clientCertificateData: certificates.client.certificate, clientKeyData: key });
    await expect(get(load(machine.exec('./plugin')))).rejects.toThrow(
      'its key is not that of its certificate',
    );
    plugin.prints({ clientCertificateData: 'S3CRET', clientKeyData: 'S3CRET' });
    await expect(get(load(machine.exec('./plugin')))).rejects.toThrow(
      /: its certificate or its key cannot be read$/,
    );
  });

  it('that is missing is reported with its install hint', async () => {
    const hint = 'Install it with: some-installer get it';
    await expect(get(load(machine.exec('no-such-plugin', { installHint: hint })))).rejects.toThrow(
      `the credential plugin no-such-plugin: its command cannot be found\n\n${hint}`,
    );
    await expect(get(load(machine.exec('./no-such-plugin')))).rejects.toThrow(
      /: its command cannot be found$/,
    );
  });

  it('is not looked up in relative folders', async () => {
    machine.plugin('bin/plugin').prints({ token: 't' });
    const folder = join(machine.folder, 'bin');
    for (const PATH of [relative(process.cwd(), folder), '', '.', undefined]) {
      const connection = load(machine.exec('plugin'), { environment: { PATH } });
      await expect(get(connection)).rejects.toThrow('its command cannot be found');
    }
    await get(load(machine.exec('plugin'), { environment: { PATH: `/nowhere:${folder}:/bin` } }));
    // and its own PATH does not matter
    const env = [{ name: 'PATH', value: folder }];
    await expect(get(load(machine.exec('plugin', { env })))).rejects.toThrow('its command cannot be found');
  });

  it.each([
    ['fails', 'echo S3CRET; exit 3', 'it ended with exit code 3'],
    ['is killed', 'echo S3CRET; kill -9 $$', 'it was ended by SIGKILL'],
    ['prints something else', 'echo S3CRET', 'it did not print an ExecCredential of'],
    ['talks without end', 'exec cat /dev/zero', 'it printed more than 1048576 bytes'],
  ])('that %s is reported without its output', async (_how, script, message) => {
    machine.plugin('plugin').does(script);
    const failure = await get(load(machine.exec('./plugin'))).catch((error: Error) => error);
    expect(failure).toMatchObject({ name: 'CredentialPluginError' });
    expect(String(failure)).toContain(message);
    expect(JSON.stringify(failure) + String((failure as Error).stack)).not.toContain('S3CRET');
    expect((failure as Error).cause).toBeUndefined();
  });

  it('that cannot be started is reported without its arguments and variables', async () => {
    machine.write('plugin', 'no program', 0o600);
    await expect(get(load(machine.exec('./plugin')))).rejects.toThrow('it cannot be started (EACCES)');
    const args = machine.exec('./plugin', { args: ['S3CRET\0'] });
    const failure = await get(load(args)).catch((error: Error) => error);
    expect(String(failure)).toMatch(/it cannot be started \(ERR_INVALID_ARG_VALUE\)$/);
  });

  it('that is still running ends with its connection, and no other is started', async () => {
    const plugin = machine.plugin('plugin');
    plugin.does('exec sleep 1000');
    const connection = load(machine.exec('./plugin'));
    const asking = get(connection);
    await vi.waitUntil(() => plugin.runs.length === 1);
    connection[Symbol.dispose]();
    await expect(asking).rejects.toThrow('it was ended by SIGTERM');
    await expect(get(connection)).rejects.toThrow('the connection that it was for has been closed');
    expect(plugin.runs).toHaveLength(1);
  });
});
