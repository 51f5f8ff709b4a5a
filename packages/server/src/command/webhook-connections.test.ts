import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orchVocabulary, type TransportRequest } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Certificates, createCertificates } from '../certificates/self-signed-certificates.ts';
import { UsageError } from './usage-error.ts';
import { type WebhookConnection, WebhookConnections } from './webhook-connections.ts';

const root = mkdtempSync(join(tmpdir(), 'webhook-'));
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, 'pki'));
let pair: Certificates;
beforeAll(async () => {
  pair = await createCertificates();
  const files = { ca: 'ca', client: pair.certificate, key: pair.key, token: 'token\n' };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'pki', name), text);
});

const sent: TransportRequest[] = [];
const surroundings = {
  ambient: nodeAmbient(orchVocabulary),
  transport: {
    async request(_url: string, request: TransportRequest) {
      sent.push(request);
      const body = async () => new Uint8Array();
      return { status: 200, headers: {}, body, stream: async function* () {} };
    },
  },
};

const connections = new WebhookConnections(surroundings);
afterAll(() => connections[Symbol.dispose]());

function read(
  cluster: string,
  user: string,
  rest = 'current-context: c',
  opening = connections,
): WebhookConnection {
  const file = join(root, 'config');
  writeFileSync(
    file,
    `apiVersion: v1
kind: Config
clusters: [{name: other, cluster: {}}, {name: hook, cluster: {${cluster}}}]
users: [{name: me, user: {${user}}}]
contexts: [{name: c, context: {cluster: hook, user: me}}]
${rest}
`,
  );
  return opening.open('some-flag', file);
}

/** How a request to a webhook arrives. */
async function shown({ url, transport }: WebhookConnection): Promise<object> {
  await transport.request(url, { method: 'POST' });
  const { headers, tls } = sent.at(-1) ?? {};
  return { url, tls, authorization: headers?.authorization };
}

const SERVER = 'server: "https://h/x"';

describe('WebhookConnections', () => {
  it('reads the cluster and the user of the current context, with files relative to it', async () => {
    const user = 'client-certificate: pki/client, client-key: pki/key, tokenFile: pki/token, token: t';
    const made = read(`${SERVER}, certificate-authority: pki/ca, tls-server-name: hook`, user);
    expect(await shown(made)).toEqual({
      url: 'https://h/x',
      tls: {
        ...{ certificateAuthorities: 'ca', serverName: 'hook' },
        ...{ certificate: pair.certificate, key: pair.key },
      },
      authorization: 'Bearer token',
    });
  });

  it('prefers data to files', async () => {
    const cluster = `${SERVER}, certificate-authority: missing, certificate-authority-data: ${btoa('data')}`;
    expect(await shown(read(cluster, 'token: t'))).toEqual({
      url: 'https://h/x',
      tls: { certificateAuthorities: 'data' },
      authorization: 'Bearer t',
    });
  });

  it('runs the plugin of its user', async () => {
    const plugin = join(root, 'plugin');
    const response = { apiVersion: 'client.authentication.orch.io/v1', kind: 'ExecCredential' };
    const printed = JSON.stringify({ ...response, status: { token: 'of-a-plugin' } });
    writeFileSync(plugin, `#!/bin/sh\necho '${printed}'\n`, { mode: 0o755 });
    const exec = `{command: ./plugin, apiVersion: ${response.apiVersion}, interactiveMode: Never}`;
    expect(await shown(read(SERVER, `exec: ${exec}`))).toMatchObject({
      authorization: 'Bearer of-a-plugin',
    });
  });

  it('ends running plugins when it is disposed', async () => {
    const started = join(root, 'started');
    writeFileSync(join(root, 'slow'), `#!/bin/sh\ntouch ${started}\nexec sleep 60\n`, { mode: 0o755 });
    const exec = '{command: ./slow, apiVersion: client.authentication.orch.io/v1, interactiveMode: Never}';
    const ending = new WebhookConnections(surroundings);
    const { url, transport } = read(SERVER, `exec: ${exec}`, undefined, ending);
    const response = transport.request(url, { method: 'POST' }).then(
      () => 'answered',
      ({ message }: Error) => message,
    );
    await expect.poll(() => existsSync(started), { timeout: 5000 }).toBe(true);
    ending[Symbol.dispose]();
    expect(await response).toContain('slow');
  });

  it('authenticates to each server as the user that the file has for it', async () => {
    const file = join(root, 'users');
    const users = (all: string): string =>
      `apiVersion: v1\nkind: Config\nusers: [${all}]\ncontexts: [{name: c, context: {user: me}}]\ncurrent-context: c\n`;
    writeFileSync(
      file,
      users(
        "{name: me, user: {token: mine}}, {name: hook.n.svc, user: {tokenFile: pki/token}}, {name: '*.svc:8443', user: {client-certificate: pki/client, client-key: pki/key}}",
      ),
    );
    const transportTo = connections.openUsers('some-flag', file);
    const sentTo = async (server: string) => {
      await transportTo(server)?.request(`https://${server}`, { method: 'POST', tls: { serverName: 's' } });
      const { headers, tls } = sent.at(-1) ?? {};
      return [headers?.authorization, tls];
    };
    expect(await sentTo('hook.n.svc:443')).toEqual(['Bearer token', { serverName: 's' }]);
    const certificate = { certificate: pair.certificate, key: pair.key, serverName: 's' };
    expect(await sentTo('hook.n.svc:8443')).toEqual([undefined, certificate]);
    expect(await sentTo('other.example:443')).toEqual(['Bearer mine', { serverName: 's' }]);
    writeFileSync(file, users('{name: x, user: {token: t}}'));
    expect(connections.openUsers('some-flag', file)('hook.n.svc:443')).toBeUndefined();
    writeFileSync(file, users('{name: x, user: {tokenFile: missing}}'));
    expect(() => connections.openUsers('some-flag', file)).toThrow(UsageError);
  });

  it.each([
    [SERVER, '', 'current-context: d', /there is no context "d"/],
    [SERVER, 'exec: {}', undefined, /user "me": exec: command is required/],
    [`${SERVER}, proxy-url: x`, '', undefined, /cluster "hook": its proxy-url is not a URL/],
    [SERVER, 'client-key: pki/key', undefined, /a client-key without one/],
    ['server: nowhere', '', undefined, /is not a URL/],
    [`${SERVER}, certificate-authority: pki/no`, '', undefined, /pki\/no cannot be read/],
    [
      `${SERVER}, certificate-authority-data: "?"`,
      '',
      undefined,
      /certificate-authority-data: expected base64/,
    ],
    ['server: {', '', undefined, /yaml/],
  ])('rejects %s with %s and %s', (cluster, user, rest, text) => {
    expect(() => read(cluster, user, rest)).toThrow(UsageError);
    expect(() => read(cluster, user, rest)).toThrow(text);
    expect(() => read(cluster, user, rest)).toThrow(`flag --some-flag: ${join(root, 'config')}: `);
  });
});
