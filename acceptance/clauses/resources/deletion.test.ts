import { expect } from 'vitest';
import { CONFIG_MAPS, forEachVocabulary, JSON_PATCH, MERGE_PATCH } from '../clause-server.fixture.ts';

const held = { metadata: { finalizers: ['example.com/a', 'example.com/b'] } };
const withFinalizers = (finalizers: readonly string[] | null): object => ({ metadata: { finalizers } });

forEachVocabulary('Deletion of an object', (test) => {
  test('R067: an object is finalized before it is removed', async ({ server }) => {
    await server.configMap('x', held);
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1`);
    await server.delete(`${CONFIG_MAPS}/x`);
    await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, withFinalizers(null));
    expect(await watch.types(3)).toEqual(['ADDED x', 'MODIFIED x', 'DELETED x']);
    await server.configMap('free');
    await server.delete(`${CONFIG_MAPS}/free`);
    expect(await watch.types(2)).toEqual(['ADDED free', 'DELETED free']);
  });

  test('R068: the first deletion marks an object with finalizers', async ({ server }) => {
    await server.configMap('x', held);
    const { status, body } = await server.delete(`${CONFIG_MAPS}/x`);
    expect(status).toBe(200);
    expect(body.metadata.deletionTimestamp).toBe('2001-01-01T00:00:00Z');
    expect((await server.get(`${CONFIG_MAPS}/x`)).body).toEqual(body);
    const accepted = await server.post(CONFIG_MAPS, { metadata: { name: 'x' } });
    expect(accepted).toMatchObject({ status: 409, body: { reason: 'AlreadyExists' } });
  });

  test('R068: finalizers may be removed in any order, and none added', async ({ server }) => {
    await server.configMap('x', held);
    await server.delete(`${CONFIG_MAPS}/x`);
    const added = withFinalizers(['example.com/a', 'example.com/b', 'example.com/c']);
    expect(await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, added)).toMatchObject({ status: 422 });
    const first = await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, withFinalizers(['example.com/b']));
    expect(first.body.metadata.finalizers).toEqual(['example.com/b']);
    expect(await server.get(`${CONFIG_MAPS}/x`)).toMatchObject({ status: 200 });
  });

  test('R069: removing the last finalizer deletes a marked object', async ({ server }) => {
    await server.configMap('x', held);
    await server.delete(`${CONFIG_MAPS}/x`);
    const last = [{ op: 'remove', path: '/metadata/finalizers' }];
    expect(await server.patch(`${CONFIG_MAPS}/x`, JSON_PATCH, last)).toMatchObject({ status: 200 });
    expect(await server.get(`${CONFIG_MAPS}/x`)).toMatchObject({ status: 404 });
    expect(await server.post(CONFIG_MAPS, { metadata: { name: 'x' } })).toMatchObject({ status: 201 });
  });

  test('R069: without a deletion, objects survive the removal of their finalizers', async ({ server }) => {
    await server.configMap('x', held);
    await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, withFinalizers(null));
    expect(await server.get(`${CONFIG_MAPS}/x`)).toMatchObject({ status: 200 });
  });

  test('R071: kinds may have phases of their own', async ({ server }) => {
    expect((await server.get('/api/v1/namespaces/a')).body.status).toEqual({ phase: 'Active' });
    const { body } = await server.delete('/api/v1/namespaces/a');
    expect(body).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } });
    expect((await server.get('/api/v1/namespaces/a')).body.status).toEqual({ phase: 'Terminating' });
  });
});
