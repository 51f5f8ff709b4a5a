import { workloadResources } from '@ashlar/apis/workloads';
import { compileProtobuf, encodeEnvelope } from '@ashlar/codec';
import { type JsonObject, kubernetesVocabulary, Metrics } from '@ashlar/core';
import { createEncryption, createEncryptionMetrics, parseEncryptionConfiguration } from '@ashlar/encryption';
import { nodeAmbient } from '@ashlar/http-node';
import { afterEach, expect, test, vi } from 'vitest';
import type { ApiServer } from '../assembly/api-server.ts';
import { createApiServer } from '../assembly/create-api-server.ts';
import { type Backup, openSnapshot } from './open-snapshot.ts';

const vocabulary = kubernetesVocabulary;
const ambient = nodeAmbient(vocabulary);
const resources = workloadResources(vocabulary);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const json = (object: object): Uint8Array => utf8(JSON.stringify(object));

/** An object as kube-apiserver stores it. */
function protobuf(apiVersion: string, kind: string, object: JsonObject): Uint8Array {
  const definition = resources.find(({ names }) => names.kind === kind);
  const version = definition?.versions.find(({ name }) => apiVersion.endsWith(name));
  return encodeEnvelope({ apiVersion, kind, raw: compileProtobuf(version?.schema ?? {}).encode(object) });
}

const deployment = {
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } } },
  },
};
/** As clusters store definitions to this day. */
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1beta1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com', uid: 'u2', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: {
    group: 'example.com',
    version: 'v1',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    scope: 'Namespaced',
    validation: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    additionalPrinterColumns: [{ name: 'Size', type: 'integer', JSONPath: '.spec.size' }],
    versions: [{ name: 'v1', served: true, storage: true }],
  },
  status: {
    conditions: [
      { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
      { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'accepted' },
    ],
    acceptedNames: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    storedVersions: ['v1'],
  },
};
const widget = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'shop', uid: 'u3', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { size: 4 },
};
const backup: Backup = {
  revision: 900,
  entries: [
    {
      key: '/registry/deployments/shop/web',
      value: protobuf('apps/v1', 'Deployment', deployment),
      revision: 100,
    },
    {
      key: '/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com',
      value: json(definition),
      revision: 101,
    },
    { key: '/registry/example.com/widgets/shop/w', value: json(widget), revision: 102 },
    {
      key: '/registry/namespaces/shop',
      value: json({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'shop', uid: 'u4' },
        status: { phase: 'Active' },
      }),
      revision: 99,
    },
    { key: '/registry/masterleases/10.0.0.1', value: utf8('not an object'), revision: 103 },
    { key: '/registry/secrets/shop/key', value: utf8('k8s:enc:aescbc:v1:key1:x'), revision: 104 },
    {
      key: '/registry/sprockets/shop/a',
      value: encodeEnvelope({ apiVersion: 'old/v1', kind: 'Sprocket', raw: utf8('') }),
      revision: 105,
    },
    { key: '/registry/pods/shop/a', value: utf8('{"apiVersion":'), revision: 106 },
    { key: 'compact_rev_key', value: utf8('7'), revision: 107 },
  ],
};

let server: ApiServer | undefined;
afterEach(() => server?.close());

async function opened() {
  const { store, skipped } = await openSnapshot(backup, { ambient, resources });
  server = createApiServer({ vocabulary, storage: store, readOnly: true, resources });
  await server.ready;
  await vi.waitFor(() => expect(server?.catalog.find('example.com', 'v1', 'widgets')).toBeDefined(), {
    timeout: 60_000,
  });
  return { server, skipped };
}

async function get(path: string, accept = 'application/json') {
  const response = await (server as ApiServer).fetch(
    new Request(`http://server${path}`, { headers: { accept } }),
  );
  return response.json() as Promise<JsonObject>;
}

test('objects of all kinds are served as they were, with their versions', async () => {
  const { skipped } = await opened();
  expect(await get('/apis/apps/v1/namespaces/shop/deployments/web')).toMatchObject({
    kind: 'Deployment',
    metadata: { name: 'web', uid: 'u1', resourceVersion: '100' },
    spec: { replicas: 3 },
  });
  const table = await get('/apis/example.com/v1/widgets', 'application/json;as=Table;v=v1;g=meta.k8s.io');
  expect(table).toMatchObject({ metadata: { resourceVersion: '900' }, rows: [{ cells: ['w', 4] }] });
  expect(await get('/api/v1/namespaces')).toMatchObject({ items: [{ metadata: { name: 'shop' } }] });
  expect(skipped).toEqual([
    {
      key: '/registry/secrets/shop/key',
      reason: 'it is encrypted, and there is no encryption configuration',
    },
    { key: '/registry/sprockets/shop/a', reason: 'this server has no such kind' },
    { key: '/registry/pods/shop/a', reason: 'unexpected end of JSON input' },
  ]);
});

test('nothing is written, but dry runs and reviews work', async () => {
  const { server: readOnly } = await opened();
  const widgets = readOnly.client
    .resource({ group: 'example.com', version: 'v1', resource: 'widgets', kind: 'Widget' })
    .namespace('shop');
  const refusal = { code: 405, message: 'this server is read-only' };
  await expect(widgets.delete('w')).rejects.toMatchObject(refusal);
  await expect(widgets.patch('w', { type: 'merge', patch: { spec: { size: 5 } } })).rejects.toMatchObject(
    refusal,
  );
  const patched = await widgets.patch(
    'w',
    { type: 'merge', patch: { spec: { size: 5 } } },
    { dryRun: ['All'] },
  );
  expect(patched).toMatchObject({ spec: { size: 5 } });
  expect(await widgets.get('w')).toMatchObject({ spec: { size: 4 }, metadata: { resourceVersion: '102' } });
});

test('values that are encrypted are read with the configuration of the cluster', async () => {
  const configuration = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [
      {
        resources: ['secrets'],
        providers: [
          { secretbox: { keys: [{ name: 'key1', secret: btoa('k'.repeat(32)) }] } },
          { identity: {} },
        ],
      },
    ],
  };
  const parsed = parseEncryptionConfiguration(json(configuration), { vocabulary, file: 'encryption.json' });
  const metrics = createEncryptionMetrics(new Metrics(), ambient.clock);
  using encryption = createEncryption(parsed, { ambient, metrics });
  const key = '/registry/secrets/shop/key';
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'key', namespace: 'shop', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
    data: { a: 'eA==' },
  };
  const value = await encryption
    .transformerOf({ group: '', resource: 'secrets' })
    .toStorage(json(secret), utf8(key));
  const { store, skipped } = await openSnapshot(
    { revision: 9, entries: [{ key, value, revision: 5 }] },
    { ambient, encryption },
  );
  expect(skipped).toEqual([]);
  const entry = await store.get('/secrets/shop/key');
  expect(JSON.parse(new TextDecoder().decode(entry?.value))).toMatchObject({ data: { a: 'eA==' } });
});
