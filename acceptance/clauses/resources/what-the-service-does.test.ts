import { createMemoryStore } from '@ashlar/storage';
import { createManualClock, createTestServer } from '@ashlar/testing';
import { expect } from 'vitest';
import {
  CONFIG_MAPS,
  clauseOptions,
  forEachVocabulary,
  prepare,
  toClauseServer,
} from '../clause-server.fixture.ts';

forEachVocabulary('What the service does', (test) => {
  test('R001: every identifier with a vendor in it follows the vocabulary', async ({
    server,
    vocabulary,
  }) => {
    const { groupDomain, labelDomain, protobufMediaType, name, namespacePrefix } = vocabulary;
    const groups = (await server.get('/apis')).body.groups as { name: string }[];
    expect(groups.map((group) => group.name)).toContain(`coordination.${groupDomain}`);
    const namespace = (await server.get('/api/v1/namespaces/a')).body;
    expect(namespace.metadata.labels).toEqual({ [`${labelDomain}/metadata.name`]: 'a' });
    expect(namespace.spec).toEqual({ finalizers: [name] });
    expect(await server.get(`/api/v1/namespaces/${namespacePrefix}-system`)).toMatchObject({ status: 200 });
    const { headers } = await server.get('/api/v1/namespaces/a', { accept: protobufMediaType });
    expect(headers.get('content-type')).toBe(protobufMediaType);
  });

  test('R001: the words are those of the specification by default', async () => {
    await using api = await createTestServer();
    const server = toClauseServer(api);
    const accept = 'application/vnd.orch.protobuf';
    expect(await server.get('/apis/coordination.orch.io/v1')).toMatchObject({ status: 200 });
    expect((await server.get('/api/v1/namespaces', { accept })).headers.get('content-type')).toBe(accept);
  });

  test('R007: objects are stored as serialized values under keys', async ({ vocabulary }) => {
    const storage = createMemoryStore({ clock: createManualClock() });
    await using api = await createTestServer({ ...clauseOptions(vocabulary), storage });
    await prepare(api);
    const server = toClauseServer(api);
    const made = await server.configMap('x', { data: { key: 'value' } });
    const entry = storage.get('/configmaps/a/x');
    const { resourceVersion, ...metadata } = made.metadata;
    expect(JSON.parse(new TextDecoder().decode(entry?.value))).toEqual({ ...made, metadata });
    expect(entry?.revision).toBe(Number(resourceVersion));
    await using second = await createTestServer({ ...clauseOptions(vocabulary), storage });
    expect((await toClauseServer(second).get(`${CONFIG_MAPS}/x`)).body).toEqual(made);
  });
});
