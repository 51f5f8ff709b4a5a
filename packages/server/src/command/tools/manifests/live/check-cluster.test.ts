import { gzipSync } from 'node:zlib';
import { workloadResources } from '@ashlar/apis/workloads';
import { createClient } from '@ashlar/client';
import { type JsonObject, type Vocabulary, vocabularies } from '@ashlar/core';
import { createInProcessTransport } from '@ashlar/http';
import { nodeAmbient } from '@ashlar/http-node';
import { describe, expect, it } from 'vitest';
import { createApiServer } from '../../../../assembly/create-api-server.ts';
import { emulateRelease } from '../../../../emulation/emulate-release.ts';
import { runCommand } from '../../../command.ts';
import { checkCluster } from './check-cluster.ts';

/** A server that serves the API of 1.21, and a connection to it. */
async function cluster(vocabulary: Vocabulary) {
  const server = createApiServer({
    vocabulary,
    resources: workloadResources(vocabulary),
    controllers: false,
    emulation: emulateRelease('1.21'),
  });
  await server.ready;
  const connection = {
    transport: createInProcessTransport(server.handler),
    baseUrl: 'http://server',
    ambient: nodeAmbient(vocabulary),
  };
  const client = createClient(connection);
  const make = (path: string, body: JsonObject, fieldManager = 'tool') =>
    client.request({ method: 'POST', path, query: { fieldManager }, body });
  return { server, connection, make };
}

/** A release as Helm stores it: JSON, compressed and encoded twice. */
const release = (status: string, manifest: string): string => {
  const json = JSON.stringify({ name: 'shop', namespace: 'default', version: 2, info: { status }, manifest });
  return Buffer.from(gzipSync(json).toString('base64')).toString('base64');
};

describe.each(Object.entries(vocabularies))(
  'check-manifests --live, with the names of %s',
  (_, vocabulary) => {
    const group = (name: string) => `${name}.${vocabulary.groupDomain}`;
    const ingress = { backend: { serviceName: 'web', servicePort: 80 } };

    it('finds who wrote objects in versions of the past', async () => {
      const { server, connection, make } = await cluster(vocabulary);
      await using _server = server;
      const old = '/apis/extensions/v1beta1/namespaces/default/ingresses';
      await make(old, { metadata: { name: 'a' }, spec: ingress }, 'old-tool');
      const applied = JSON.stringify({ apiVersion: 'extensions/v1beta1', kind: 'Ingress' });
      const annotation = `${vocabulary.clientName}.${vocabulary.labelDomain}/last-applied-configuration`;
      const metadata = { name: 'b', annotations: { [annotation]: applied } };
      const current = `/apis/${group('networking')}/v1/namespaces/default/ingresses`;
      const spec = { defaultBackend: { service: { name: 'web', port: { number: 80 } } } };
      await make(current, { metadata, spec });
      await make(current, { metadata: { name: 'c' }, spec });
      const psp = { privileged: true, seLinux: { rule: 'RunAsAny' }, runAsUser: { rule: 'RunAsAny' } };
      const policy = { ...psp, supplementalGroups: { rule: 'RunAsAny' }, fsGroup: { rule: 'RunAsAny' } };
      await make('/apis/policy/v1beta1/podsecuritypolicies', { metadata: { name: 'd' }, spec: policy });
      const findings = await checkCluster(connection, '1.32');
      const texts = findings.map(({ file, object, message }) => `${file}: ${object}: ${message}`).sort();
      const use = `use ${group('networking')}/v1, served since v1.19`;
      const gone = 'extensions/v1beta1 is not served since v1.22, deprecated since v1.14';
      expect(texts).toEqual([
        expect.stringMatching(
          /^ingresses\..*\/default\/a: Ingress "default\/a": manager "old-tool" wrote it \(Update on 2/,
        ),
        `ingresses.${group('networking')}/default/b: Ingress "default/b": was applied last in a version of the past: ${gone}; ${use}`,
        expect.stringMatching(
          /^podsecuritypolicies\.policy\/d: PodSecurityPolicy "d": manager "tool" wrote it .*policy\/v1beta1 is not served since v1\.25/,
        ),
      ]);
      expect(await checkCluster(connection, '1.21')).toEqual(
        findings.map(({ file }) => expect.objectContaining({ file, severity: 'deprecated' })),
      );
    });

    it('reads releases of Helm in secrets and config maps, and says which cannot be read', async () => {
      const { server, connection, make } = await cluster(vocabulary);
      await using _server = server;
      const job = 'apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: a}\n';
      const at = (resource: string) => `/api/v1/namespaces/default/${resource}`;
      const secret = (name: string, data: string) =>
        make(at('secrets'), { metadata: { name }, type: 'helm.sh/release.v1', data: { release: data } });
      await secret(
        'sh.helm.release.v1.shop.v2',
        release('deployed', `${job}---\n${job.replace('v1beta1', 'v1')}`),
      );
      await secret('sh.helm.release.v1.shop.v1', release('superseded', job));
      await secret('broken', Buffer.from('H4sIbroken').toString('base64'));
      const data = { release: Buffer.from(release('failed', job), 'base64').toString() };
      await make(at('configmaps'), { metadata: { name: 'shop', labels: { owner: 'helm' } }, data });
      const findings = await checkCluster(connection, '1.32');
      expect(findings.map(({ file, object, severity }) => [file, object, severity])).toEqual([
        ['secrets/default/broken', undefined, 'error'],
        [
          'secrets/default/sh.helm.release.v1.shop.v2',
          'CronJob "a" in release "shop" of Helm, revision 2',
          'withdrawn',
        ],
        ['configmaps/default/shop', 'CronJob "a" in release "shop" of Helm, revision 2', 'withdrawn'],
      ]);
    });

    it('reads large collections in pages, and goes on where a resource cannot be read', async () => {
      const { server, connection, make } = await cluster(vocabulary);
      await using _server = server;
      for (let index = 0; index < 1_100; index++)
        await make('/api/v1/namespaces/default/configmaps', { metadata: { name: `a-${index}` } });
      await make('/apis/extensions/v1beta1/namespaces/default/ingresses', {
        metadata: { name: 'z' },
        spec: ingress,
      });
      const asked: string[] = [];
      const transport = {
        request: (...[url, request]: Parameters<typeof connection.transport.request>) => {
          asked.push(url);
          if (url.startsWith('http://server/api/v1/pods')) throw new Error('no pods today');
          return connection.transport.request(url, request);
        },
      };
      const findings = await checkCluster({ ...connection, transport }, '1.32');
      expect(findings.map(({ file, severity }) => [file, severity])).toEqual([
        ['pods', 'error'],
        [`ingresses.${group('networking')}/default/z`, 'withdrawn'],
      ]);
      expect(asked.filter((url) => url.startsWith('http://server/api/v1/configmaps?limit=500'))).toHaveLength(
        3,
      );
    });
  },
);

describe('check-manifests', () => {
  it('refuses flags that do not fit to --live', async () => {
    const run = async (...words: readonly string[]) => {
      const errors: string[] = [];
      const status = await runCommand(['check-manifests', ...words], {
        stdout: () => {},
        stderr: (text) => void errors.push(text),
        signal: new AbortController().signal,
      });
      return [status, errors.join('')];
    };
    expect(await run('--live', '/none', 'a.yaml')).toEqual([2, expect.stringContaining('and no files')]);
    expect(await run('--live', '/none', '--fix')).toEqual([2, expect.stringContaining('nothing is written')]);
    expect(await run('--live', '/none')).toEqual([2, expect.stringContaining('flag --live: ')]);
  });
});
