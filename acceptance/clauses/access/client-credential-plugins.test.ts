import { createClient } from '@ashlar/client';
import { type LoadConnectionOptions, type LoadedConnection, loadConnection } from '@ashlar/client-node';
import { vocabularies } from '@ashlar/core';
import { createHttp2Transport, createNodeTransport, nodeAmbient } from '@ashlar/http-node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type LoginServer,
  startLoginServer,
} from '../../../packages/client-node/src/login-server.fixture.ts';
import { configurationOf, Machine } from '../../../packages/client-node/src/machine.fixture.ts';
import * as certificates from '../../../packages/http-node/src/listener/certificates.fixture.ts';

describe.each(Object.entries(vocabularies))(
  'Client credential plugin objects, in the words of %s',
  (_name, vocabulary) => {
    const node = nodeAmbient(vocabulary);
    let now = 0;
    const ambient = { ...node, clock: { ...node.clock, now: () => now, monotonic: () => now } };
    const environment = { PATH: process.env.PATH };
    let machine: Machine;
    let server: LoginServer;
    const made: Disposable[] = [];
    beforeEach(async () => {
      machine = new Machine(vocabulary);
      server = await startLoginServer();
    });
    afterEach(async () => {
      for (const each of made.splice(0)) each[Symbol.dispose]();
      machine[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    });

    function load(user: object, options: Partial<LoadConnectionOptions> = {}, cluster = server.cluster) {
      const file = machine.write('folder/config', configurationOf(cluster, user));
      const connection = loadConnection({ ambient, file, environment, ...options });
      made.push(connection);
      return connection;
    }
    const get = (connection: LoadedConnection, path = '/') =>
      createClient(connection).request({ method: 'GET', path });
    const exec = (rest: object = {}) => machine.exec('./plugin', rest);
    const callers = () => server.callers.splice(0);
    const of = (moment: number) => new Date(moment).toISOString();
    const pairOf = ({ certificate, key }: { readonly certificate: string; readonly key: string }) => ({
      ...{ clientCertificateData: certificate, clientKeyData: key },
    });

    test('A086: command and apiVersion are required', () => {
      expect(() => load(exec({ command: undefined }))).toThrow('user "me": exec: command is required');
      expect(() => load(exec({ apiVersion: undefined }))).toThrow('user "me": exec: apiVersion is required');
      expect(() => load(exec({ apiVersion: `${machine.apiVersion}alpha1` }))).toThrow('which is none of');
    });

    test('A086: the plugin must respond in the configured version', async () => {
      const plugin = machine.plugin('folder/plugin');
      for (const version of [machine.apiVersion, `${machine.apiVersion}beta1`]) {
        plugin.prints({ token: 't' }, version);
        const other = version === machine.apiVersion ? `${version}beta1` : machine.apiVersion;
        await get(load(exec({ apiVersion: version })));
        await expect(get(load(exec({ apiVersion: other })))).rejects.toThrow(
          `it did not print an ExecCredential of ${other}`,
        );
      }
      expect(callers()).toHaveLength(2);
    });

    test('A086: it gets args and env, and the install hint is reported if it is missing', async () => {
      const plugin = machine.plugin('folder/plugin');
      plugin.prints({ token: 't' });
      await get(load(exec({ args: ['--a', 'b'], env: [{ name: 'MARK', value: 'set' }] })));
      expect(plugin.runs).toMatchObject([{ args: '--a b', mark: 'set' }]);
      const missing = machine.exec('a-plugin-that-is-nowhere', { installHint: 'Ask for it.' });
      await expect(get(load(missing))).rejects.toThrow('its command cannot be found\n\nAsk for it.');
    });

    test('A086: interactiveMode is required in v1, and IfAvailable by default in v1beta1', async () => {
      const plugin = machine.plugin('folder/plugin');
      expect(() => load(exec({ interactiveMode: undefined }))).toThrow('interactiveMode is required');
      expect(() => load(exec({ interactiveMode: 'Sometimes' }))).toThrow('Never, IfAvailable, Always');
      const apiVersion = `${machine.apiVersion}beta1`;
      plugin.prints({ token: 't' }, apiVersion);
      for (const terminal of [true, false])
        await get(load(exec({ apiVersion, interactiveMode: undefined }), { terminal }));
      expect(plugin.runs.map(({ info }) => info.spec)).toEqual([
        { interactive: true },
        { interactive: false },
      ]);
    });

    test('A086: a relative command path is relative to the folder of the configuration file', async () => {
      machine.plugin('folder/bin/plugin').prints({ token: 'below' });
      machine.plugin('beside/plugin').prints({ token: 'beside' });
      const absolute = machine.plugin('absolute');
      absolute.prints({ token: 'absolute' });
      for (const command of ['bin/plugin', '../beside/plugin', absolute.path])
        await get(load(machine.exec(command)));
      expect(callers().map(({ authorization }) => authorization)).toEqual([
        'Bearer below',
        'Bearer beside',
        'Bearer absolute',
      ]);
    });

    test('A087: the plugin learns whether it may prompt, and the cluster on request', async () => {
      const plugin = machine.plugin('folder/plugin');
      plugin.prints({ token: 't' });
      const extensions = [
        { name: `${machine.apiVersion.split('/')[0]}/exec`, extension: { audience: ['x', null] } },
        { name: 'other', extension: { audience: 'y' } },
      ];
      const cluster = { ...server.cluster, extensions };
      await get(load(exec({ interactiveMode: 'IfAvailable' }), { terminal: true }, cluster));
      await get(load(exec({ provideClusterInfo: true }), { terminal: true }, cluster));
      const { apiVersion } = machine;
      const received = { ...server.cluster, config: { audience: ['x', null] } };
      expect(plugin.runs.map(({ info }) => info)).toEqual([
        { apiVersion, kind: 'ExecCredential', spec: { interactive: true } },
        { apiVersion, kind: 'ExecCredential', spec: { interactive: false, cluster: received } },
      ]);
    });

    test('A087: it prints a token, or a certificate with its key, followed by intermediates', async () => {
      const plugin = machine.plugin('folder/plugin');
      plugin.prints({ token: 't' });
      await get(load(exec()));
      plugin.prints(pairOf(certificates.clientOfIntermediate));
      await get(load(exec()));
      expect(callers()).toMatchObject([
        { authorization: 'Bearer t', certificate: undefined },
        { authorization: undefined, certificate: 'CN=bertil' },
      ]);
      for (const status of [{}, { clientKeyData: 'k' }, { token: 't', clientCertificateData: 'c' }]) {
        plugin.prints(status);
        await expect(get(load(exec()))).rejects.toThrow(/it gave (neither|a certificate without a key)/);
      }
      plugin.prints({ token: 't', expirationTimestamp: 'tomorrow' });
      await expect(get(load(exec()))).rejects.toThrow('not an RFC 3339 time');
      expect(callers()).toEqual([]);
    });

    test.each([
      ['HTTP/1.1', createNodeTransport],
      ['HTTP/2', createHttp2Transport],
    ])(
      'A087: a different certificate closes the connection and causes a new handshake',
      async (_protocol, create) => {
        const transport = create();
        made.push(transport);
        const plugin = machine.plugin('folder/plugin');
        plugin.prints({ ...pairOf(certificates.client), expirationTimestamp: of(now) });
        const connection = load(exec(), { transport });
        const answer = await createClient(connection).open({ method: 'GET', path: '/watch' });
        const watching = answer.stream()[Symbol.asyncIterator]();
        await watching.next();
        plugin.prints(pairOf(certificates.clientOfIntermediate));
        now += 1000;
        await get(connection);
        const [before, after] = callers();
        expect([before?.certificate, after?.certificate]).toEqual(['CN=anna', 'CN=bertil']);
        expect(after?.connection).not.toBe(before?.connection);
        await expect(watching.next()).rejects.toThrow('has been replaced');
      },
    );

    test('A087: credentials are cached until they expire, a 401 arrives or the client ends', async () => {
      const plugin = machine.plugin('folder/plugin');
      plugin.prints({ token: 'one', expirationTimestamp: of(now + 60_000) });
      const connection = load(exec());
      await get(connection);
      plugin.prints({ token: 'two', expirationTimestamp: of(now + 1e9) });
      await get(connection);
      now += 60_001;
      await get(connection);
      expect(callers().map(({ authorization }) => authorization)).toEqual([
        ...['Bearer one', 'Bearer one', 'Bearer two'],
      ]);
      plugin.prints({ token: 'three' });
      server.accept = ({ authorization }) => authorization === 'Bearer three';
      await get(connection);
      now += 1e12;
      await get(connection);
      expect(plugin.runs).toHaveLength(3);
      server.accept = () => false;
      await expect(get(connection)).rejects.toMatchObject({ code: 401 });
      expect(plugin.runs).toHaveLength(4);
      server.accept = () => true;
      await get(load(exec()));
      expect(plugin.runs).toHaveLength(5);
    });

    test('A087: with interactiveMode Always and no standard input the plugin does not run', async () => {
      const plugin = machine.plugin('folder/plugin');
      plugin.prints({ token: 't' });
      const interactiveMode = 'Always';
      await expect(get(load(exec({ interactiveMode })))).rejects.toThrow('no terminal at the standard input');
      expect([plugin.runs, callers()]).toEqual([[], []]);
      await get(load(exec({ interactiveMode }), { terminal: true }));
      expect(plugin.runs).toHaveLength(1);
    });
  },
);
