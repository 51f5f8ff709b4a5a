import { encodeUtf8 } from '@ashlar/codec';
import type { TransportRequest } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createClient } from '../client/client.ts';
import { textResponse } from '../client/fake-api.fixture.ts';
import type { ConnectionSurroundings } from '../configuration/connection-surroundings.ts';
import { parseClientConfiguration } from '../configuration/parse-client-configuration.ts';
import { createManualAmbient } from '../manual-ambient.fixture.ts';
import { type ConfiguredConnection, openConnection } from './open-connection.ts';

const SERVER = 'server: "https://h:1/base/"';

interface Sent extends TransportRequest {
  readonly url: string;
}

function setUp(
  cluster: string,
  user: string,
  files: Record<string, string> = {},
  proxyOf?: ConnectionSurroundings['proxyOf'],
) {
  const ambient = createManualAmbient();
  const sent: Sent[] = [];
  const closed: string[] = [];
  let status = 200;
  const surroundings: ConnectionSurroundings = {
    ambient,
    ...(proxyOf && { proxyOf }),
    transport: {
      async request(url, request) {
        sent.push({ ...request, url });
        return textResponse('{}', status);
      },
      closeConnections: (certificate) => void closed.push(certificate),
    },
    readFile: (path, origin) => {
      const text = files[`${origin}/${path}`];
      if (text === undefined) throw new Error(`${path} cannot be read`);
      return text;
    },
    checkKeyPair: (certificate, key) => {
      if (certificate !== key.toUpperCase()) throw new Error('its key is not that of its certificate');
    },
  };
  const open = (without: readonly (keyof ConnectionSurroundings)[] = []): ConfiguredConnection => {
    const text = `clusters: [{name: c, cluster: {${cluster}}}]
users: [{name: me, user: {${user}}}]
contexts: [{name: x, context: {cluster: c, user: me, namespace: home}}]
current-context: x`;
    const left = Object.entries(surroundings).filter(([key]) => !without.some((each) => each === key));
    const configuration = parseClientConfiguration(encodeUtf8(text), 'f');
    return openConnection(configuration, Object.fromEntries(left) as unknown as ConnectionSurroundings);
  };
  const result = (other: number): void => {
    status = other;
  };
  return { ambient, sent, closed, open, answer: result, files };
}

async function shown(cluster: string, user: string, files: Record<string, string> = {}): Promise<Sent> {
  const { open, sent } = setUp(cluster, user, files);
  const connection = open();
  await createClient(connection).request({ method: 'GET', path: '/version' });
  return sent[0] as Sent;
}

describe('openConnection', () => {
  it("uses the server of the cluster's entry", async () => {
    const cluster = `${SERVER}, certificate-authority: ca, tls-server-name: other`;
    const { url, tls, headers } = await shown(cluster, 'token: t', { 'f/ca': 'CA' });
    expect(url).toBe('https://h:1/base/version');
    expect(tls).toEqual({ certificateAuthorities: 'CA', serverName: 'other' });
    expect(headers).toEqual({ accept: 'application/json', authorization: 'Bearer t' });
    const { tls: insecure } = await shown(`${SERVER}, insecure-skip-tls-verify: true`, '');
    expect(insecure).toEqual({ insecure: true });
  });

  it('uses its proxy, or that of its surroundings', async () => {
    const { proxy } = await shown(`${SERVER}, proxy-url: "socks5://p:1"`, 'token: t');
    expect(proxy).toBe('socks5://p:1');
    expect(await shown(SERVER, 'token: t')).not.toHaveProperty('proxy');
    const { open, sent } = setUp(SERVER, 'token: t', {}, (url) => `http://proxy-of/${url}`);
    await createClient(open()).request({ method: 'GET', path: '/version' });
    await open().transport.request('https://h', {
      method: 'GET',
      headers: { authorization: 'Bearer other' },
    });
    const through = 'http://proxy-of/https://h:1/base';
    expect(sent.map((each) => each.proxy)).toEqual([through, through]);
  });

  it.each([
    ['token: t', {}, 'Bearer t', {}],
    ['token: t, tokenFile: file', { 'f/file': ' of-file\n' }, 'Bearer of-file', {}],
    ['username: ünna, password: "a:b"', {}, `Basic ${Buffer.from('ünna:a:b').toString('base64')}`, {}],
    ['exec: {command: c}, token: t', {}, 'Bearer t', {}],
    ['', {}, undefined, {}],
    [
      `client-certificate-data: ${btoa('C')}, client-certificate: none, client-key: key`,
      { 'f/key': 'c' },
      undefined,
      { certificate: 'C', key: 'c' },
    ],
  ])('authenticates with %s', async (user, files, authorization, tls) => {
    const sent = await shown(SERVER, user, files as Record<string, string>);
    expect([sent.headers?.authorization, sent.tls ?? {}]).toEqual([authorization, tls]);
  });

  it('impersonates', async () => {
    const user = `token: t, as: zoë, as-uid: u, as-groups: [g, h], as-user-extra: {Scopes: [a, b], "e/(ü)": [c]}`;
    expect((await shown(SERVER, user)).headers).toMatchObject({
      'impersonate-user': 'zoÃ«',
      'impersonate-uid': 'u',
      'impersonate-group': ['g', 'h'],
      'impersonate-extra-scopes': ['a', 'b'],
      'impersonate-extra-e%2f%28%c3%bc%29': ['c'],
    });
  });

  it('sends no credentials without encryption, only impersonation headers', async () => {
    const user = `token: t, as: zoe, client-certificate-data: ${btoa('C')}, client-key-data: ${btoa('c')}`;
    const { headers, tls } = await shown('server: "http://h"', user);
    expect([headers, tls]).toEqual([{ accept: 'application/json', 'impersonate-user': 'zoe' }, undefined]);
    const plugin = await shown('server: "http://h"', 'exec: {command: c}');
    expect(plugin.headers).toEqual({ accept: 'application/json' });
  });

  it('rereads a token file after a minute, and after a 401', async () => {
    const { open, sent, files, ambient, answer } = setUp(SERVER, 'tokenFile: file', { 'f/file': 'one' });
    const client = createClient(open());
    const ask = async (): Promise<unknown> => {
      await client.request({ method: 'GET', path: '/' }).catch(() => {});
      return sent.splice(0).map(({ headers }) => headers?.authorization);
    };
    files['f/file'] = 'two';
    expect(await ask()).toEqual(['Bearer one']);
    await ambient.advance(60_000);
    expect(await ask()).toEqual(['Bearer two']);
    files['f/file'] = 'three';
    answer(401);
    expect(await ask()).toEqual(['Bearer two', 'Bearer three']);
    delete files['f/file'];
    expect(await ask()).toEqual(['Bearer three']);
    files['f/file'] = '';
    await ambient.advance(60_000);
    expect(await ask()).toEqual(['Bearer three']);
  });

  it('closes the connections of a changed certificate file', async () => {
    const files = { 'f/cert': 'A', 'f/key': 'a' };
    const user = 'client-certificate: cert, client-key: key';
    const { open, sent, closed, ambient } = setUp(SERVER, user, files);
    const client = createClient(open());
    const ask = async (): Promise<unknown> => {
      await ambient.advance(60_000);
      await client.request({ method: 'GET', path: '/' });
      return [sent.at(-1)?.tls, [...closed]];
    };
    files['f/cert'] = 'B';
    // half of a pair is not a pair
    expect(await ask()).toEqual([{ certificate: 'A', key: 'a' }, []]);
    files['f/key'] = 'b';
    expect(await ask()).toEqual([{ certificate: 'B', key: 'b' }, ['A']]);
  });

  it.each([
    ['', '', 'cluster "c": server is required'],
    ['server: "h:1"', '', 'cluster "c": its server is not an http or https URL'],
    ['server: h', '', 'cluster "c": its server is not a URL'],
    ['server: "https://u:S3CRET@h"', '', 'cluster "c": the URL of its server must not hold credentials'],
    [
      'server: "https://h?a"',
      '',
      'cluster "c": the URL of its server must have neither a query nor a fragment',
    ],
    [`${SERVER}, proxy-url: S3CRET`, '', 'cluster "c": its proxy-url is not a URL'],
    [`${SERVER}, proxy-url: "socks5:S3CRET:1"`, '', 'cluster "c": its proxy-url names no host'],
    [
      `${SERVER}, proxy-url: "socks5h://S3CRET@p"`,
      '',
      'cluster "c": its proxy-url is not an http, https or socks5 URL',
    ],
    [
      `${SERVER}, proxy-url: "ftp://S3CRET@p"`,
      '',
      'cluster "c": its proxy-url is not an http, https or socks5 URL',
    ],
    [`${SERVER}, certificate-authority: ca`, '', 'cluster "c": ca cannot be read'],
    [
      `${SERVER}, insecure-skip-tls-verify: true, certificate-authority-data: UEVN`,
      '',
      'cluster "c": it has a certificate-authority, which insecure-skip-tls-verify would pass over',
    ],
    [SERVER, 'token: t, password: S3CRET', 'user "me": it has both a token and a username or password'],
    [SERVER, 'tokenFile: none', 'user "me": none cannot be read'],
    [SERVER, 'tokenFile: empty', 'user "me": empty is empty'],
    [SERVER, 'token: "S3\\nCRET"', 'user "me": the token has characters that no header can carry'],
    [
      SERVER,
      'client-key-data: UEVN',
      'user "me": it has a client-certificate without a client-key, or a client-key without one',
    ],
    [
      SERVER,
      'client-certificate-data: UEVN, client-key-data: cGVu',
      'user "me": its key is not that of its certificate',
    ],
    [SERVER, 'auth-provider: {name: S3CRET}', 'user "me": auth-provider is not supported: use exec'],
    [SERVER, 'as-groups: [g]', 'user "me": as-uid, as-groups and as-user-extra need as'],
    [SERVER, 'exec: {command: c}', 'user "me": exec: no plugins are run here'],
  ])('rejects {%s} with {%s}', (cluster, user, message) => {
    const { open } = setUp(cluster, user, { 'f/empty': ' \n' });
    expect(() => open()).toThrow(expect.objectContaining({ name: 'ClientConfigurationError', message }));
  });

  it('rejects a plugin together with a certificate', () => {
    const exec = 'exec: {command: c, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never}';
    const user = `client-certificate-data: ${btoa('C')}, client-key-data: ${btoa('c')}, ${exec}`;
    expect(() => setUp(SERVER, user).open()).toThrow('it has both exec and a client-certificate');
  });

  it('rejects files where none can be read', () => {
    expect(() => setUp(SERVER, 'tokenFile: f').open(['readFile'])).toThrow('there are no files here');
  });
});
