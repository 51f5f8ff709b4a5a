import { expect } from 'vitest';
import {
  ALL_CONFIG_MAPS,
  CONFIG_MAPS,
  forEachVocabulary,
  GADGETS,
  WIDGETS,
} from '../clause-server.fixture.ts';

const custom = (kind: string) => ({ apiVersion: 'example.com/v1', kind, metadata: { name: 'x' }, spec: {} });

forEachVocabulary('Path shapes', (test) => {
  test('R072: cluster-scoped types are directly below their version', async ({ server }) => {
    expect(await server.post('/apis/example.com/v1/gadgets', custom('Gadget'))).toMatchObject({
      status: 201,
    });
    const { body } = await server.get('/apis/example.com/v1/gadgets/x');
    expect(body).toMatchObject({ kind: 'Gadget', metadata: { name: 'x' } });
    expect((await server.get('/apis/example.com/v1/gadgets')).body.items).toEqual([body]);
  });

  test('R073: objects of all namespaces are listed directly below their version', async ({ server }) => {
    for (const namespace of ['a', 'b']) {
      await server.post(`/apis/example.com/v1/namespaces/${namespace}/widgets`, custom('Widget'));
    }
    const { items } = (await server.get('/apis/example.com/v1/widgets')).body;
    expect(items.map(({ metadata }) => metadata.namespace)).toEqual(['a', 'b']);
  });

  test('R074: objects of one namespace are below it', async ({ server }) => {
    await server.post('/apis/example.com/v1/namespaces/a/widgets', custom('Widget'));
    const { body } = await server.get('/apis/example.com/v1/namespaces/a/widgets/x');
    expect(body.metadata).toMatchObject({ name: 'x', namespace: 'a' });
    expect((await server.get('/apis/example.com/v1/namespaces/b/widgets')).body.items).toEqual([]);
    expect(await server.get('/apis/example.com/v1/namespaces/b/widgets/x')).toMatchObject({ status: 404 });
  });

  test('R075: paths of the core group have no group', async ({ server }) => {
    await server.configMap('x');
    expect(await server.get('/api/v1/namespaces/a/configmaps/x')).toMatchObject({ status: 200 });
    expect((await server.get('/api/v1/configmaps')).body.items).toHaveLength(1);
    for (const path of [
      '/apis/v1/namespaces/a/configmaps/x',
      '/api/core/v1/configmaps',
      '/api/v2/configmaps',
    ]) {
      expect(await server.get(path)).toMatchObject({ status: 404 });
    }
  });

  test('R076: a subresource is below its cluster-scoped object', async ({ server }) => {
    await server.post(GADGETS, custom('Gadget'));
    expect(await server.get('/apis/example.com/v1/gadgets/x/status')).toMatchObject({
      status: 200,
      body: { kind: 'Gadget', metadata: { name: 'x' } },
    });
    expect(await server.get('/api/v1/namespaces/a/status')).toMatchObject({
      status: 200,
      body: { kind: 'Namespace', metadata: { name: 'a' } },
    });
  });

  test('R077: a subresource is below its namespaced object', async ({ server }) => {
    await server.post(WIDGETS, custom('Widget'));
    expect(await server.get('/apis/example.com/v1/namespaces/a/widgets/x/status')).toMatchObject({
      status: 200,
      body: { kind: 'Widget', metadata: { name: 'x', namespace: 'a' } },
    });
    expect(await server.get('/apis/example.com/v1/namespaces/b/widgets/x/status')).toMatchObject({
      status: 404,
    });
  });

  test('R078: namespaces are listed and read like other cluster-scoped types', async ({ server }) => {
    const { kind, items } = (await server.get('/api/v1/namespaces')).body;
    expect(kind).toBe('NamespaceList');
    expect(items.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(['a', 'b', 'default']));
    expect((await server.get('/api/v1/namespaces/a')).body).toMatchObject({
      kind: 'Namespace',
      metadata: { name: 'a' },
    });
  });

  test('R079: a subresource has its own verbs', async ({ server }) => {
    const own = (await server.get('/apis/example.com/v1')).body.resources;
    const core = (await server.get('/api/v1')).body.resources;
    const verbs = (name: string) => [...own, ...core].find((resource) => resource.name === name)?.verbs;
    expect(verbs('widgets/status')).toEqual(['get', 'patch', 'update']);
    expect(verbs('namespaces/finalize')).toEqual(['update']);
    expect(await server.get('/api/v1/namespaces/a/finalize')).toMatchObject({ status: 405 });
    await server.post(WIDGETS, custom('Widget'));
    expect(await server.delete(`${WIDGETS}/x/status`)).toMatchObject({ status: 405 });
  });

  test('R079: a subresource belongs to a single object', async ({ server }) => {
    await server.post(WIDGETS, custom('Widget'));
    for (const path of [`${WIDGETS}/status`, '/apis/example.com/v1/widgets/x/status']) {
      expect(await server.get(path)).toMatchObject({ status: 404 });
    }
    await server.configMap('x');
    for (const path of [`${CONFIG_MAPS}/x/status`, `${ALL_CONFIG_MAPS}/x/status`]) {
      expect(await server.get(path)).toMatchObject({ status: 404 });
    }
  });
});
