import { expect } from 'vitest';
import { CHECKS, CONFIG_MAPS, forEachVocabulary, SECRETS, WIDGETS } from '../clause-server.fixture.ts';

forEachVocabulary('Vocabulary', (test) => {
  test('R011: the name of a resource type is its name in paths', async ({ server }) => {
    const { body } = await server.get('/api/v1');
    expect(body.resources.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['configmaps', 'secrets', 'namespaces']),
    );
    expect(await server.get(CONFIG_MAPS)).toMatchObject({ status: 200 });
    for (const other of ['configmap', 'ConfigMap', 'cm']) {
      expect(await server.get(`/api/v1/namespaces/a/${other}`)).toMatchObject({ status: 404 });
    }
  });

  test('R012: every resource type has a kind', async ({ server }) => {
    const { body } = await server.get('/api/v1');
    expect(body.resources.find(({ name }) => name === 'configmaps')).toMatchObject({ kind: 'ConfigMap' });
    expect(await server.configMap('x')).toMatchObject({ kind: 'ConfigMap' });
    const foreign = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'y' } };
    expect(await server.post(CONFIG_MAPS, foreign)).toMatchObject({ status: 400 });
  });

  test('R013: a collection lists the objects of one resource type', async ({ server }) => {
    await server.configMap('x');
    await server.configMap('y');
    await server.post(SECRETS, { metadata: { name: 'z' } });
    const { body } = await server.get(CONFIG_MAPS);
    expect(body.kind).toBe('ConfigMapList');
    expect(body.items.map(({ metadata }) => metadata.name)).toEqual(['x', 'y']);
  });

  test('R014: an object is one instance of a resource type', async ({ server }) => {
    const made = await server.configMap('x', { data: { key: 'value' } });
    await server.configMap('y');
    expect((await server.get(`${CONFIG_MAPS}/x`)).body).toEqual(made);
  });

  test('R015: a subresource is a path below an object', async ({ server }) => {
    await server.post(WIDGETS, {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w' },
      spec: { size: 1 },
    });
    const { body } = await server.get(`${WIDGETS}/w`);
    const changed = await server.put(`${WIDGETS}/w/status`, { ...body, status: { ready: true } });
    expect(changed).toMatchObject({ status: 200, body: { spec: { size: 1 }, status: { ready: true } } });
    expect((await server.get(`${WIDGETS}/w/status`)).body).toEqual(changed.body);
    const { resources } = (await server.get('/apis/example.com/v1')).body;
    expect(resources.map(({ name }) => name)).toContain('widgets/status');
  });

  test('R016: a virtual resource type responds to posts and stores nothing', async ({ server }) => {
    const question = { apiVersion: 'example.com/v1', kind: 'Check', metadata: {}, spec: { color: 'red' } };
    const answer = await server.post(CHECKS, question);
    expect(answer).toMatchObject({ status: 201, body: { kind: 'Check', status: { ready: true } } });
    expect(await server.get(CHECKS)).toMatchObject({ status: 405 });
    const { resources } = (await server.get('/apis/example.com/v1')).body;
    expect(resources.find(({ name }) => name === 'checks')).toMatchObject({ verbs: ['create'] });
  });
});
