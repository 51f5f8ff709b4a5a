import { writeFileSync } from 'node:fs';
import type { TLSSocket } from 'node:tls';
import type { Transport } from '@ashlar/core';
import { afterAll, describe, expect, it } from 'vitest';
import { startRemoteService } from '../../../packages/server/src/assembly/remote-identity.fixture.ts';
import { createCertificates } from '../../../packages/server/src/certificates/self-signed-certificates.ts';
import { runCommand } from '../../../packages/server/src/command/command.ts';
import { FilesFolder } from '../../../packages/server/src/command/files-folder.fixture.ts';
import {
  serveFlags as flagTable,
  type ServeFlags,
} from '../../../packages/server/src/command/flags/serve-flags.ts';
import { CertificateAuthority } from './certificate-authority.fixture.ts';
import { serveFlags } from './served-flags.fixture.ts';

const folder = new FilesFolder();
afterAll(() => folder[Symbol.dispose]());

const MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';

interface ClientFiles {
  readonly url?: string;
  readonly authority?: string;
  readonly certificate?: string;
  readonly key?: string;
}

/** A kubeconfig file of a webhook. */
function clientFile({
  url = 'https://webhook.example/',
  authority,
  certificate,
  key,
}: ClientFiles = {}): string {
  const cluster = { server: url, ...(authority && { 'certificate-authority': folder.file(authority) }) };
  const user = {
    ...(certificate && { 'client-certificate': folder.file(certificate) }),
    ...(key && { 'client-key': folder.file(key) }),
  };
  return folder.file(
    JSON.stringify({
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    }),
  );
}

/** Webhooks by host; their responses about a resource, and their calls. */
function webhooks(answers: Readonly<Record<string, (resource: string) => object | 'down'>>) {
  const asked: string[] = [];
  const transport: Transport = {
    async request(url, { body }) {
      const { host } = new URL(url);
      const { apiVersion, kind, spec } = JSON.parse(new TextDecoder().decode(body));
      asked.push(host);
      const status = answers[host]?.(spec.resourceAttributes?.resource);
      const found = status === 'down' || !status ? { code: 400 } : { code: 200, status };
      const bytes = new TextEncoder().encode(JSON.stringify({ apiVersion, kind, ...found }));
      const stream = async function* () {
        yield bytes;
      };
      return { status: found.code, headers: {}, body: async () => bytes, stream };
    },
  };
  return { transport, asked };
}

const configured = (...authorizers: readonly object[]): string =>
  JSON.stringify({
    ...{ apiVersion: 'apiserver.config.orch.io/v1', kind: 'AuthorizationConfiguration' },
    authorizers,
  });

const webhook = (host: string, more: object = {}): object => ({
  ...{ type: 'Webhook', name: host },
  webhook: {
    ...{ timeout: '3s', subjectAccessReviewVersion: 'v1', failurePolicy: 'NoOpinion' },
    matchConditionSubjectAccessReviewVersion: 'v1',
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: clientFile({ url: `https://${host}/` }) },
    ...more,
  },
});
const [rbac, node] = [
  { type: 'RBAC', name: 'rbac' },
  { type: 'Node', name: 'node' },
];

describe('Authorization modes', () => {
  const policy = {
    ...{ apiVersion: 'abac.authorization.orch.io/v1beta1', kind: 'Policy' },
    spec: { user: 'al', namespace: 'default', resource: 'configmaps', apiGroup: '*' },
  };
  const abac: ServeFlags = { 'authorization-policy-file': folder.file(JSON.stringify(policy)) };
  const remote: ServeFlags = { 'authorization-webhook-config-file': clientFile({ url: 'https://only/' }) };
  const NODE = '/api/v1/nodes/n';
  it.each<[modes: ServeFlags['authorization-mode'], more: ServeFlags, statuses: number[]]>([
    [['AlwaysAllow'], {}, [200, 200, 404]],
    [['AlwaysDeny'], {}, [403, 403, 403]],
    [['ABAC'], abac, [200, 403, 403]],
    [['RBAC'], {}, [403, 403, 403]],
    [['Node'], {}, [403, 403, 404]],
    [['Webhook'], remote, [403, 200, 403]],
    [['Node', 'RBAC', 'ABAC'], abac, [200, 403, 404]],
    [['RBAC', 'AlwaysAllow'], {}, [200, 200, 404]],
    [['AlwaysDeny', 'AlwaysAllow'], {}, [200, 200, 404]],
    [['Webhook', 'AlwaysAllow'], remote, [403, 200, 404]],
  ])('A140: %j decide each in its own way', async (modes, more, statuses) => {
    const { transport } = webhooks({
      only: (resource) => ({ allowed: resource === 'secrets', denied: resource === 'configmaps' }),
    });
    const flags = { ...more, ...(modes && { 'authorization-mode': modes }) };
    await using server = await serveFlags(flags, transport);
    expect([
      await server.status('al', MAPS),
      await server.status('al', SECRETS),
      await server.status('system:node:n', NODE),
    ]).toEqual(statuses);
    expect(await server.status('root', MAPS)).toBe(200);
  });

  it('A140: there are no others', () => {
    const { parse } = flagTable['authorization-mode'];
    expect(parse('AlwaysAllow,AlwaysDeny,ABAC,RBAC,Node,Webhook')).toHaveLength(6);
    expect(() => parse('RBAC,Other')).toThrow('unknown authorization mode Other');
  });
});

describe('An authorization configuration file', () => {
  const own = ['--tls-cert-file', folder.file('c'), '--tls-private-key-file', folder.file('k')];
  const file = folder.file(configured(rbac));

  it.each([
    ['authorization-mode', 'RBAC'],
    ['authorization-webhook-config-file', clientFile()],
    ['authorization-webhook-version', 'v1'],
    ['authorization-webhook-cache-authorized-ttl', '1s'],
    ['authorization-webhook-cache-unauthorized-ttl', '1s'],
  ])('A142: it excludes --%s', async (flag, value) => {
    let said = '';
    const words = ['serve', ...own, '--authorization-config', file, `--${flag}`, value];
    const status = await runCommand(words, {
      stdout: () => {},
      stderr: (text) => {
        said += text;
      },
      signal: AbortSignal.abort(),
    });
    const sentence = `ashlar: flag --authorization-config cannot be combined with --${flag}\n`;
    expect([status, said]).toEqual([2, sentence]);
  });

  it('A142: it needs no feature gate, and neither do modes', async () => {
    await using byFile = await serveFlags({ 'authorization-config': file });
    await using byFlags = await serveFlags({ 'authorization-mode': ['RBAC'] });
    for (const server of [byFile, byFlags]) {
      expect(await server.status('al', MAPS)).toBe(403);
      expect(await server.status('al', '/api')).toBe(200);
    }
  });

  it('A143: it may list several webhooks, each with its failure policy and conditions', async () => {
    const conditions = [{ expression: "request.resourceAttributes.resource == 'secrets'" }];
    const { transport, asked } = webhooks({
      broken: () => 'down',
      picky: () => ({ allowed: false, denied: true }),
      last: () => ({ allowed: true }),
      strict: () => 'down',
    });
    const text = configured(
      webhook('broken'),
      webhook('picky', { matchConditions: conditions }),
      webhook('last'),
    );
    await using server = await serveFlags({ 'authorization-config': folder.file(text) }, transport);
    expect(await server.status('al', MAPS)).toBe(200);
    expect(asked).toEqual(['broken', 'last']);
    expect(await server.status('al', SECRETS)).toBe(403);
    expect(asked.slice(2)).toEqual(['broken', 'picky']);
    const strict = configured(webhook('strict', { failurePolicy: 'Deny' }), webhook('last'));
    await using other = await serveFlags({ 'authorization-config': folder.file(strict) }, transport);
    // a failure without another decision is reported as one (semantics/access#authorization)
    expect([await other.status('al', MAPS), asked.at(-1)]).toEqual([500, 'strict']);
  });

  it('A143: other authorizers are kept, in any order', async () => {
    const path = folder.file(configured(node, rbac));
    const { transport } = webhooks({ hook: () => ({ allowed: true }) });
    await using server = await serveFlags({ 'authorization-config': path }, transport);
    const reread = (...authorizers: readonly object[]): void => {
      writeFileSync(path, configured(...authorizers));
      server.clock.advance(60_000);
    };
    expect(await server.status('al', MAPS)).toBe(403);
    for (const other of [[webhook('hook')], [rbac, webhook('hook')], [webhook('hook'), node]]) {
      reread(...other);
      expect(await server.status('al', MAPS)).toBe(403);
    }
    reread(rbac, webhook('hook'), node);
    expect(await server.status('al', MAPS)).toBe(200);
  });

  it('A157: it is read again after a minute without a notification', async () => {
    const path = folder.file(configured(rbac));
    const { transport } = webhooks({ hook: () => ({ allowed: true }) });
    await using server = await serveFlags({ 'authorization-config': path }, transport);
    server.clock.advance(30_000);
    writeFileSync(path, configured(rbac, webhook('hook')));
    server.clock.advance(29_999);
    // the first success is that of the start
    expect(server.api.metrics.text()).toContain('status="success"} 1');
    server.clock.advance(1);
    expect(server.api.metrics.text()).toContain('status="success"} 2');
    expect(await server.status('al', MAPS)).toBe(200);
  });
});

describe('The mode Webhook', () => {
  it('A144: it is called over TLS, with a client certificate and a timeout', async () => {
    const shown: unknown[] = [];
    let asked = (): void => {};
    const reached = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let answer = (): void => {};
    const callers = await CertificateAuthority.create();
    await using service = await startRemoteService(
      (request, body, response) => {
        shown.push((request.socket as TLSSocket).getPeerCertificate().subject.CN);
        const { apiVersion, kind } = JSON.parse(body);
        answer = () => response.end(JSON.stringify({ apiVersion, kind, status: { allowed: true } }));
        asked();
      },
      { clientAuthority: callers.pem },
    );
    const client = {
      ...(await callers.issue('the-server')),
      authority: service.certificates.certificateAuthority,
    };
    await using server = await serveFlags({
      'authorization-mode': ['Webhook'],
      'authorization-webhook-config-file': clientFile({ ...client, url: `${service.url}/authorize` }),
    });
    let status: number | undefined;
    const pending = server.status('al', MAPS).then((found) => {
      status = found;
    });
    await reached;
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(status).toBeUndefined();
    answer();
    await pending;
    expect([status, service.asked, shown]).toEqual([200, ['POST /authorize'], ['the-server']]);
  });

  it('A144: a service of another CA is rejected', async () => {
    await using service = await startRemoteService((_request, _body, response) => response.end('{}'));
    const { certificateAuthority: authority } = await createCertificates();
    await using server = await serveFlags({
      'authorization-mode': ['Webhook'],
      'authorization-webhook-config-file': clientFile({ authority, url: service.url }),
    });
    const status = server.status('al', MAPS);
    let isDone = false;
    void status.then(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      // pauses between attempts are skipped, timeouts are not
      const [next = Number.POSITIVE_INFINITY] = server.clock.pending();
      if (next < 5_000) server.clock.advance(next);
    }
    expect([await status, service.asked]).toEqual([500, []]);
  });
});
