import { workloadResources } from '@ashlar/apis/workloads';
import {
  type JsonObject,
  kubernetesVocabulary,
  orchVocabulary,
  type Random,
  type Vocabulary,
} from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import {
  featureGatesOf,
  parseFeatureGates,
  readRuntimeConfig,
  requireRelease,
  resourcesOfRelease,
  versionsOfRelease,
} from '@ashlar/lifecycle';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../assembly/api-server.ts';
import type { ApiServerOptions } from '../assembly/api-server-options.ts';
import { createApiServer } from '../assembly/create-api-server.ts';
import { runCommand } from '../command/command.ts';
import { emulateRelease } from './emulate-release.ts';

const RELEASES = ['1.16', '1.19', '1.21', '1.22', '1.25', '1.26', '1.27', '1.29', '1.30', '1.31', '1.32'];

async function serverOf(
  vocabulary: Vocabulary,
  release: string,
  options: Partial<ApiServerOptions> = {},
): Promise<ApiServer> {
  const server = createApiServer({
    vocabulary,
    resources: workloadResources(vocabulary),
    controllers: false,
    emulation: emulateRelease(release),
    ...options,
  });
  await server.ready;
  return server;
}

const ask = (server: ApiServer, path: string, init: RequestInit & { readonly json?: JsonObject } = {}) =>
  server.fetch(
    new Request(`http://server${path}`, {
      ...init,
      ...(init.json && {
        method: init.method ?? 'POST',
        body: JSON.stringify(init.json),
        headers: { 'content-type': 'application/json' },
      }),
    }),
  );

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

describe.each([
  ['orch', orchVocabulary],
  ['kubernetes', kubernetesVocabulary],
])('a server that emulates a release, with the names of %s', (_, vocabulary) => {
  const group = (name: string) => `${name}.${vocabulary.groupDomain}`;

  it.each(RELEASES)('serves the versions of %s and no others', async (text) => {
    await using server = await serverOf(vocabulary, text);
    const release = requireRelease(text);
    const { enabled } = versionsOfRelease(release, vocabulary);
    const { groups } = (await (await ask(server, '/apis')).json()) as {
      groups: { versions: { groupVersion: string }[] }[];
    };
    const served = groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion));
    expect(served.filter((version) => !enabled.includes(version))).toEqual([]);
    for (const version of served) {
      const { resources } = (await (await ask(server, `/apis/${version}`)).json()) as {
        resources: { name: string; kind: string; namespaced: boolean }[];
      };
      const known = resourcesOfRelease(version, release, vocabulary).filter((resource) => resource.enabled);
      for (const { name, kind, namespaced } of resources.filter((resource) => !resource.name.includes('/')))
        expect(known).toContainEqual(expect.objectContaining({ name, kind, namespaced }));
    }
  });

  it('serves objects in old and new versions, with the defaults of the one in which they were written', async () => {
    await using server = await serverOf(vocabulary, '1.21');
    const path = `/apis/extensions/v1beta1/namespaces/default/ingresses`;
    const made = await ask(server, path, {
      json: {
        apiVersion: 'extensions/v1beta1',
        kind: 'Ingress',
        metadata: { name: 'a' },
        spec: { backend: { serviceName: 'web', servicePort: 80 } },
      },
    });
    expect(made.status).toBe(201);
    expect(made.headers.get('warning')).toBe(
      `299 - "extensions/v1beta1 Ingress is deprecated in v1.14+, unavailable in v1.22+; use ${group('networking')}/v1 Ingress"`,
    );
    const read = async (version: string) =>
      (await (await ask(server, `/apis/${version}/namespaces/default/ingresses/a`)).json()) as JsonObject;
    expect((await read(`${group('networking')}/v1`)).spec).toEqual({
      defaultBackend: { service: { name: 'web', port: { number: 80 } } },
    });
    for (const version of ['extensions/v1beta1', `${group('networking')}/v1beta1`])
      expect(await read(version)).toMatchObject({
        apiVersion: version,
        spec: { backend: { serviceName: 'web', servicePort: 80 } },
      });
    const patched = await ask(server, `${path}/a`, {
      method: 'PATCH',
      body: JSON.stringify({ spec: { backend: { servicePort: 'http' } } }),
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(patched.status).toBe(200);
    expect((await read(`${group('networking')}/v1`)).spec).toEqual({
      defaultBackend: { service: { name: 'web', port: { name: 'http' } } },
    });
  });

  it('validates old versions by their own rules', async () => {
    await using server = await serverOf(vocabulary, '1.21');
    const path = `/apis/${group('admissionregistration')}`;
    const json = (version: string, name: string): JsonObject => ({
      apiVersion: `${group('admissionregistration')}/${version}`,
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name },
      webhooks: [{ name: 'a.example.com', clientConfig: { url: 'https://127.0.0.1:1' } }],
    });
    const post = (version: string) =>
      ask(server, `${path}/${version}/validatingwebhookconfigurations`, { json: json(version, version) });
    expect((await post('v1beta1')).status).toBe(201);
    expect((await post('v1')).status).toBe(422);
  });

  it('reports its release, warns since 1.19 only, and obeys the runtime configuration', async () => {
    await using server = await serverOf(vocabulary, '1.16', {
      runtimeConfig: readRuntimeConfig('apps/v1beta1=true,extensions/v1beta1/ingresses=false'),
    });
    expect(await (await ask(server, '/version')).json()).toMatchObject({
      minor: '16',
      gitVersion: expect.stringMatching(/^v1\.16\.0/),
    });
    const made = await ask(server, '/apis/apps/v1beta1/namespaces/default/deployments', {
      json: { metadata: { name: 'a' }, spec: { template } },
    });
    expect([made.status, made.headers.get('warning')]).toEqual([201, null]);
    const current = await ask(server, '/apis/apps/v1/namespaces/default/deployments/a');
    expect(await current.json()).toMatchObject({ spec: { revisionHistoryLimit: 2 } });
    expect((await ask(server, '/apis/extensions/v1beta1/ingresses')).status).toBe(404);
    expect((await ask(server, '/apis/apps/v1beta2/deployments')).status).toBe(404);
  });

  it('serves kinds that are gone, and answers reviews of old versions', async () => {
    await using server = await serverOf(vocabulary, '1.21');
    const policy = await ask(server, '/apis/policy/v1beta1/podsecuritypolicies', {
      json: {
        metadata: { name: 'a' },
        spec: Object.fromEntries(
          ['seLinux', 'runAsUser', 'fsGroup', 'supplementalGroups'].map((field) => [
            field,
            { rule: 'RunAsAny' },
          ]),
        ),
      },
    });
    expect(policy.status).toBe(201);
    const review = await ask(server, `/apis/${group('authorization')}/v1beta1/subjectaccessreviews`, {
      json: { spec: { user: 'a', group: ['b'], resourceAttributes: { verb: 'get', resource: 'pods' } } },
    });
    expect(review.status).toBe(201);
    expect(await review.json()).toMatchObject({
      apiVersion: `${group('authorization')}/v1beta1`,
      spec: { group: ['b'] },
      status: { allowed: true },
    });
  });
});

describe('a server that emulates a release without a feature', () => {
  const { groupDomain } = kubernetesVocabulary;

  it.each([
    ['1.25', []],
    ['1.26', []],
    ['1.27', ['v2beta1']],
    ['1.30', ['v2', 'v2beta1']],
  ])('describes everything at once in the formats of %s', async (release, formats) => {
    await using server = await serverOf(kubernetesVocabulary, release);
    for (const version of ['v2', 'v2beta1']) {
      const accept = `application/json;g=apidiscovery.${groupDomain};v=${version};as=APIGroupDiscoveryList,application/json`;
      const { kind } = (await (await ask(server, '/apis', { headers: { accept } })).json()) as JsonObject;
      expect([version, kind]).toEqual([
        version,
        formats.includes(version) ? 'APIGroupDiscoveryList' : 'APIGroupList',
      ]);
    }
  });

  it('has the formats that its gates switch on', async () => {
    const featureGates = parseFeatureGates(
      'AggregatedDiscoveryEndpoint=true',
      featureGatesOf('1.26'),
      '1.26',
    );
    await using server = await serverOf(kubernetesVocabulary, '1.26', { featureGates });
    const accept = `application/json;g=apidiscovery.${groupDomain};v=v2beta1;as=APIGroupDiscoveryList`;
    expect((await ask(server, '/apis', { headers: { accept } })).status).toBe(200);
  });

  it.each([
    ['1.30', false],
    ['1.31', true],
  ])('generates names that are taken anew since 1.31 only: %s', async (release, isRetried) => {
    const ambient = nodeAmbient(kubernetesVocabulary);
    let [isConstant, drawn] = [false, 0];
    const random: Random = {
      bytes(into) {
        if (!isConstant) return ambient.random.bytes(into);
        drawn++;
        return into.fill(1);
      },
    };
    await using server = await serverOf(kubernetesVocabulary, release, { ambient: { ...ambient, random } });
    isConstant = true;
    const make = () =>
      ask(server, '/api/v1/namespaces/default/configmaps', { json: { metadata: { generateName: 'a-' } } });
    expect((await make()).status).toBe(201);
    drawn = 0;
    const second = await make();
    expect(await second.json()).toMatchObject({
      ...{ code: 409, message: expect.stringContaining('was not able to generate a unique name') },
    });
    // a name for each of eight attempts, or for one
    expect(drawn >= 8).toBe(isRetried);
  });
});

describe('emulateRelease', () => {
  it('rejects releases that it does not know, and those that lack what the server needs', () => {
    for (const release of ['1.15', '1.33'])
      expect(() => emulateRelease(release)).toThrow(
        `release ${release} cannot be emulated: only 1.16 to 1.32 can`,
      );
    expect(() => emulateRelease('latest')).toThrow(TypeError);
  });
});

describe('ashlar serve --emulate', () => {
  it('refuses what is no release, and releases that cannot be emulated', async () => {
    const run = async (release: string) => {
      const error: string[] = [];
      const surroundings = {
        stdout: () => {},
        stderr: (text: string) => void error.push(text),
        signal: AbortSignal.abort(),
      };
      return [
        await runCommand(['serve', '--storage', 'memory', '--emulate', release], surroundings),
        error.join(''),
      ];
    };
    expect(await run('1.33')).toEqual([
      2,
      'ashlar: flag --emulate: release 1.33 cannot be emulated: only 1.16 to 1.32 can\n',
    ]);
    expect(await run('latest')).toEqual([2, 'ashlar: flag --emulate: "latest" is no release such as 1.25\n']);
  });
});
