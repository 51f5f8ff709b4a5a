import { workloadResources } from '@ashlar/apis/workloads';
import { type JsonValue, kubernetesVocabulary } from '@ashlar/core';
import { definitionsFromOpenApi, fromCustomResourceDefinition } from '@ashlar/extensions';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../../assembly/api-server.ts';
import { createApiServer } from '../../assembly/create-api-server.ts';

const vocabulary = kubernetesVocabulary;
const names = { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' };
const schema = {
  openAPIV3Schema: {
    type: 'object',
    description: 'Something useful.',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
          color: { type: 'string', enum: ['red', 'blue'] },
          port: { 'x-kubernetes-int-or-string': true },
          inner: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            properties: { a: { type: 'string' } },
          },
        },
        'x-kubernetes-validations': [{ rule: "self.size < 9 || self.color == 'red'" }],
      },
      status: { type: 'object', properties: { ready: { type: 'boolean' } } },
    },
  },
};
const gadgets = fromCustomResourceDefinition(
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.example.com' },
    spec: {
      group: 'example.com',
      names,
      scope: 'Cluster',
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
    status: { conditions: [], acceptedNames: names, storedVersions: ['v1'] },
  },
  vocabulary,
);

async function ask(server: ApiServer, path: string, body?: object): Promise<[number, JsonValue]> {
  const init = body && {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  };
  const response = await server.fetch(new Request(`http://server${path}`, init));
  return [response.status, (await response.json()) as JsonValue];
}

async function documentsOf(server: ApiServer): Promise<JsonValue[]> {
  const [, index] = await ask(server, '/openapi/v3');
  const { paths } = index as { paths: Record<string, { serverRelativeURL: string }> };
  const responses = Object.values(paths).map(({ serverRelativeURL }) => ask(server, serverRelativeURL));
  return (await Promise.all(responses)).map(([, document]) => document);
}

/** A server with only the published types of another. */
async function copyOf(original: ApiServer, groups: readonly string[]): Promise<ApiServer> {
  const definitions = definitionsFromOpenApi(await documentsOf(original));
  const resources = definitions.filter(({ group }) => groups.includes(group));
  const copy = createApiServer({ vocabulary, resources });
  await copy.ready;
  return copy;
}

const pod = {
  metadata: { labels: { app: 'a' }, creationTimestamp: null },
  spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: 0.5, memory: '1Gi' } } }] },
};
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { selector: { matchLabels: { app: 'a' } }, template: pod, replicas: 2 },
};
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

describe('a server created from the OpenAPI documents of another', () => {
  it('serves the same custom kinds by the same rules', async () => {
    await using original = createApiServer({
      vocabulary,
      resources: [gadgets],
    });
    await original.ready;
    await using copy = await copyOf(original, ['example.com']);
    const GADGETS = '/apis/example.com/v1/gadgets';
    const good = {
      apiVersion: 'example.com/v1',
      kind: 'Gadget',
      metadata: { name: 'a' },
      spec: { color: 'red' },
    };
    const bad = { ...good, metadata: { name: 'b' }, spec: { size: 10, color: 'green', inner: {} } };
    for (const server of [original, copy])
      expect(await ask(server, GADGETS, good)).toMatchObject([201, { spec: { size: 3, color: 'red' } }]);
    const [status, refusal] = await ask(copy, GADGETS, bad);
    expect(status).toBe(422);
    expect([status, refusal]).toEqual(await ask(original, GADGETS, bad));
    expect(JSON.stringify(refusal)).toContain('spec.inner.kind');
    const path = '/openapi/v3/apis/example.com/v1';
    expect(await ask(copy, path)).toEqual(await ask(original, path));
  });

  it('serves kinds that are built into the other', async () => {
    await using original = createApiServer({ vocabulary, resources: workloadResources(vocabulary) });
    await original.ready;
    await using copy = await copyOf(original, ['apps']);
    const [status, made] = await ask(copy, DEPLOYMENTS, deployment);
    expect([status, made]).toMatchObject([201, { spec: { replicas: 2, template: { spec: pod.spec } } }]);
    const { selector: _, ...spec } = deployment.spec;
    const nameless = { ...deployment, metadata: { name: 'b' }, spec };
    expect(await ask(copy, DEPLOYMENTS, nameless)).toMatchObject([
      422,
      { details: { causes: [{ field: 'spec.selector', reason: 'FieldValueRequired' }] } },
    ]);
    expect(await ask(copy, `${DEPLOYMENTS}/web/scale`)).toMatchObject([
      200,
      { kind: 'Scale', spec: { replicas: 2 } },
    ]);
    const [, list] = await ask(copy, '/apis/apps/v1/deployments');
    expect(list).toMatchObject({ kind: 'DeploymentList', items: [{ metadata: { name: 'web' } }] });
  });
});
