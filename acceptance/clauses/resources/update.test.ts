import { StatusError } from '@ashlar/core';
import { expect } from 'vitest';
import {
  CONFIG_MAPS,
  forEachVocabulary,
  JSON_PATCH,
  MERGE_PATCH,
  STRATEGIC_PATCH,
  WIDGETS,
} from '../clause-server.fixture.ts';

const widget = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'x' },
  spec: { size: 1, color: 'red' },
};

forEachVocabulary('Update', (test) => {
  test('R148: a PUT contains the version that it replaces', async ({ server }) => {
    const { body: made } = await server.post(WIDGETS, widget);
    expect(await server.put(`${WIDGETS}/x`, widget)).toMatchObject({ status: 422 });
    const replaced = await server.put(`${WIDGETS}/x`, { ...made, spec: { size: 2 } });
    expect(replaced).toMatchObject({ status: 200, body: { spec: { size: 2 } } });
    const stale = await server.put(`${WIDGETS}/x`, { ...made, spec: { size: 3 } });
    expect(stale).toMatchObject({ status: 409, body: { reason: 'Conflict' } });
    expect((await server.get(`${WIDGETS}/x`)).body).toEqual(replaced.body);
  });

  test('R149: a patch changes only its fields, regardless of other changes', async ({ server }) => {
    await server.configMap('x', { data: { a: '1' } });
    await Promise.all(
      ['b', 'c', 'd'].map((key) => server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { data: { [key]: '2' } })),
    );
    expect((await server.get(`${CONFIG_MAPS}/x`)).body.data).toEqual({ a: '1', b: '2', c: '2', d: '2' });
  });

  test('R149: PUT and PATCH with a version detect lost updates, and can be retried', async ({ server }) => {
    const { metadata } = await server.configMap('x', { data: { count: '0' } });
    await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { data: { other: '1' } });
    const { resourceVersion } = metadata;
    const stale = await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, {
      metadata: { resourceVersion },
      data: { count: '1' },
    });
    expect(stale).toMatchObject({ status: 409, body: { reason: 'Conflict' } });
    const maps = server.api.client
      .resource({ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' })
      .namespace('a');
    const countUp = async (): Promise<void> => {
      const object = await maps.get('x');
      const data = object.data as Record<string, string>;
      try {
        await maps.update({ ...object, data: { ...data, count: String(Number(data.count) + 1) } });
      } catch (error) {
        if (!StatusError.is(error, 'Conflict')) throw error;
        await countUp();
      }
    };
    await Promise.all(Array.from({ length: 8 }, countUp));
    expect((await server.get(`${CONFIG_MAPS}/x`)).body.data).toEqual({ count: '8', other: '1' });
  });

  test('R152: a JSON Patch is a sequence of operations, and fails as one', async ({ server }) => {
    await server.configMap('x', { data: { a: '1' } });
    const { status, body } = await server.patch(`${CONFIG_MAPS}/x`, JSON_PATCH, [
      { op: 'test', path: '/data/a', value: '1' },
      { op: 'copy', from: '/data/a', path: '/data/b' },
      { op: 'replace', path: '/data/a', value: '2' },
    ]);
    expect({ status, data: body.data }).toEqual({ status: 200, data: { a: '2', b: '1' } });
    const failed = await server.patch(`${CONFIG_MAPS}/x`, JSON_PATCH, [
      { op: 'remove', path: '/data/b' },
      { op: 'test', path: '/data/a', value: '1' },
    ]);
    expect(failed.status).toBe(422);
    expect((await server.get(`${CONFIG_MAPS}/x`)).body).toEqual(body);
  });

  test('R153: a merge patch is a partial object, null removes', async ({ server }) => {
    await server.post(WIDGETS, widget);
    const patch = { metadata: { labels: { app: 'shop' } }, spec: { size: 2, color: null } };
    const { status, body } = await server.patch(`${WIDGETS}/x`, MERGE_PATCH, patch);
    expect({ status, spec: body.spec }).toEqual({ status: 200, spec: { size: 2 } });
    expect(body.metadata.labels).toEqual({ app: 'shop' });
  });

  test('R154: strategic merge patches are for built-in types, not for custom ones', async ({ server }) => {
    await server.configMap('x', { metadata: { finalizers: ['example.com/a'] } });
    const added = { metadata: { finalizers: ['example.com/b'] } };
    const { status, body } = await server.patch(`${CONFIG_MAPS}/x`, STRATEGIC_PATCH, added);
    expect(status).toBe(200);
    expect(body.metadata.finalizers.toSorted()).toEqual(['example.com/a', 'example.com/b']);
    const replaced = await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, added);
    expect(replaced.body.metadata.finalizers).toEqual(['example.com/b']);
    await server.post(WIDGETS, widget);
    const refused = await server.patch(`${WIDGETS}/x`, STRATEGIC_PATCH, { spec: { size: 2 } });
    expect(refused).toMatchObject({ status: 415, body: { reason: 'UnsupportedMediaType' } });
  });
});
