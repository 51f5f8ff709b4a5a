import type { AuthorizationAttributes } from '@ashlar/core';
import { createTestServer } from '@ashlar/testing';
import { expect } from 'vitest';
import {
  CHECKS,
  CONFIG_MAPS,
  clauseOptions,
  forEachVocabulary,
  GADGETS,
  prepare,
  SECRETS,
  toClauseServer,
  WIDGETS,
} from '../clause-server.fixture.ts';

const gadget = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'x' } };

forEachVocabulary('Identity and scope rules', (test) => {
  test('R017: an object is created once and found by name', async ({ server }) => {
    const made = await server.post(CONFIG_MAPS, { metadata: { name: 'x' } });
    expect(made.status).toBe(201);
    const again = await server.post(CONFIG_MAPS, { metadata: { name: 'x' } });
    expect(again).toMatchObject({ status: 409, body: { reason: 'AlreadyExists' } });
    expect((await server.get(`${CONFIG_MAPS}/x`)).body).toEqual(made.body);
    expect(await server.post(CONFIG_MAPS, {})).toMatchObject({ status: 422 });
  });

  test('R017: virtual resource types have no names', async ({ server }) => {
    const question = { apiVersion: 'example.com/v1', kind: 'Check', metadata: {} };
    for (let time = 0; time < 2; time++) {
      expect(await server.post(CHECKS, question)).toMatchObject({ status: 201 });
    }
  });

  test('R018: a name is unique per namespace and kind', async ({ server }) => {
    await server.configMap('x');
    expect(await server.post(CONFIG_MAPS, { metadata: { name: 'x' } })).toMatchObject({ status: 409 });
    expect(await server.post(SECRETS, { metadata: { name: 'x' } })).toMatchObject({ status: 201 });
    const elsewhere = await server.post('/api/v1/namespaces/b/configmaps', { metadata: { name: 'x' } });
    expect(elsewhere).toMatchObject({ status: 201, body: { metadata: { namespace: 'b' } } });
  });

  test('R018: a name is free again when its object is deleted', async ({ server }) => {
    const first = await server.configMap('x');
    await server.delete(`${CONFIG_MAPS}/x`);
    const second = await server.post(CONFIG_MAPS, { metadata: { name: 'x' } });
    expect(second.status).toBe(201);
    expect(second.body.metadata.uid).not.toBe(first.metadata.uid);
  });

  test('R019: a cluster-scoped name is unique in the cluster', async ({ server }) => {
    const made = await server.post(GADGETS, gadget);
    expect(made.status).toBe(201);
    expect(made.body.metadata).not.toHaveProperty('namespace');
    expect(await server.post(GADGETS, gadget)).toMatchObject({ status: 409 });
    for (const namespace of ['a', 'b']) {
      const path = `/apis/example.com/v1/namespaces/${namespace}/gadgets`;
      expect(await server.post(path, gadget)).toMatchObject({ status: 404 });
    }
  });

  test('R020: a resource type is namespaced or cluster-scoped', async ({ server }) => {
    const scopes = Object.fromEntries(
      (await server.get('/apis/example.com/v1')).body.resources.map(({ name, namespaced }) => [
        name,
        namespaced,
      ]),
    );
    expect(scopes).toMatchObject({ widgets: true, gadgets: false });
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'x' } };
    expect(await server.post(WIDGETS, widget)).toMatchObject({ status: 201 });
    expect(await server.get('/apis/example.com/v1/widgets/x')).toMatchObject({ status: 404 });
  });

  test('R020: deleting a namespace deletes its objects', async ({ vocabulary }) => {
    await using api = await createTestServer({ ...clauseOptions(vocabulary), controllers: true });
    await prepare(api);
    const server = toClauseServer(api);
    await server.configMap('x');
    const { metadata } = (await server.get('/api/v1/namespaces/a')).body;
    const watch = await server.watch(
      `/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3Da&resourceVersion=${metadata.resourceVersion}`,
    );
    await server.delete('/api/v1/namespaces/a');
    while ((await watch.next())?.type !== 'DELETED');
    expect(await server.get(`${CONFIG_MAPS}/x`)).toMatchObject({ status: 404 });
    expect((await server.get('/api/v1/configmaps')).body.items).toEqual([]);
  });

  test('R020: permissions are checked in the namespace of the objects', async ({ vocabulary }) => {
    const authorize = ({ namespace, resource }: AuthorizationAttributes) => ({
      decision: namespace === 'a' && resource === 'configmaps' ? ('allow' as const) : ('no-opinion' as const),
    });
    await using api = await createTestServer({
      ...clauseOptions(vocabulary),
      authorizer: () => ({ authorize }),
    });
    await prepare(api);
    const server = toClauseServer(api);
    expect(await server.get(CONFIG_MAPS)).toMatchObject({ status: 200 });
    expect(await server.get('/api/v1/namespaces/b/configmaps')).toMatchObject({ status: 403 });
    expect(await server.get('/api/v1/configmaps')).toMatchObject({ status: 403 });
  });

  test('R021: namespaces are cluster-scoped objects', async ({ server }) => {
    const { resources } = (await server.get('/api/v1')).body;
    expect(resources.find(({ name }) => name === 'namespaces')).toMatchObject({ namespaced: false });
    const { status, body } = await server.get('/api/v1/namespaces/a');
    expect(status).toBe(200);
    expect(body.metadata).not.toHaveProperty('namespace');
    expect(await server.post('/api/v1/namespaces', { metadata: { name: 'a' } })).toMatchObject({
      status: 409,
    });
  });

  test('R022: most resource types have objects, few are virtual', async ({ server }) => {
    const own = (await server.get('/apis/example.com/v1')).body.resources;
    const core = (await server.get('/api/v1')).body.resources;
    const types = [...own, ...core].filter(({ name }) => !name.includes('/'));
    const virtual = types.filter(({ verbs }) => !verbs.includes('get')).map(({ name }) => name);
    expect(virtual).toEqual(['checks']);
    expect(types.length).toBeGreaterThan(2 * virtual.length);
  });
});
