import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from './usage-error.ts';
import { readWebhookConfiguration } from './webhook-configuration.ts';

const root = mkdtempSync(join(tmpdir(), 'webhook-'));
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, 'pki'));
for (const name of ['ca', 'client', 'key', 'token']) writeFileSync(join(root, 'pki', name), `${name}\n`);

function read(cluster: string, user: string, rest = 'current-context: c'): unknown {
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
  return readWebhookConfiguration('some-flag', file);
}

const SERVER = 'server: "https://h/x"';

describe('readWebhookConfiguration', () => {
  it('reads the cluster and the user of the current context, files beside it', () => {
    const user = 'client-certificate: pki/client, client-key: pki/key, tokenFile: pki/token, token: t';
    expect(read(`${SERVER}, certificate-authority: pki/ca, tls-server-name: hook`, user)).toEqual({
      url: 'https://h/x',
      tls: { certificateAuthorities: 'ca\n', certificate: 'client\n', key: 'key\n', serverName: 'hook' },
      token: 'token',
    });
  });

  it('prefers data to files', () => {
    const cluster = `${SERVER}, certificate-authority: missing, certificate-authority-data: ${btoa('data')}`;
    expect(read(cluster, 'token: t')).toEqual({
      url: 'https://h/x',
      tls: { certificateAuthorities: 'data' },
      token: 't',
    });
  });

  it.each([
    [SERVER, '', 'current-context: d', /leads to no context/],
    [SERVER, 'exec: {}', undefined, /does not know exec of a user/],
    [`${SERVER}, proxy-url: x`, '', undefined, /does not know proxy-url of a cluster/],
    [SERVER, 'client-key: pki/key', undefined, /a key without a certificate/],
    ['server: nowhere', '', undefined, /is no URL/],
    [`${SERVER}, certificate-authority: pki/no`, '', undefined, /cannot be read/],
    [`${SERVER}, certificate-authority-data: "?"`, '', undefined, /are not base64/],
    ['server: {', '', undefined, /yaml/],
  ])('refuses %s with %s and %s', (cluster, user, rest, text) => {
    expect(() => read(cluster, user, rest)).toThrow(UsageError);
    expect(() => read(cluster, user, rest)).toThrow(text);
    expect(() => read(cluster, user, rest)).toThrow(/^flag --some-flag: /);
  });
});
