import { expect } from 'vitest';
import {
  ALL_CONFIG_MAPS,
  CONFIG_MAPS,
  forEachVocabulary,
  JSON_PATCH,
  MERGE_PATCH,
  STRATEGIC_PATCH,
} from '../clause-server.fixture.ts';

const YAML = { 'content-type': 'application/yaml' };
const yaml = 'metadata:\n  name: posted\ndata:\n  key: value\n';

forEachVocabulary('Operations', (test) => {
  test('R080: POST to a collection creates an object and returns it', async ({ server }) => {
    const { status, body } = await server.post(CONFIG_MAPS, {
      metadata: { name: 'x' },
      data: { key: 'value' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'x' }, data: { key: 'value' } });
    expect((await server.get(`${CONFIG_MAPS}/x`)).body).toEqual(body);
    expect(await server.post(`${CONFIG_MAPS}/y`, { metadata: { name: 'y' } })).toMatchObject({ status: 405 });
  });

  test('R080: an object is posted in JSON, YAML or Protobuf', async ({ server, vocabulary }) => {
    const type = vocabulary.protobufMediaType;
    expect(await server.send('POST', CONFIG_MAPS, { body: yaml, headers: YAML })).toMatchObject({
      status: 201,
      body: { metadata: { name: 'posted' }, data: { key: 'value' } },
    });
    const described = { metadata: { generateName: 'p-' }, data: { key: 'value' } };
    const dry = await server.post(`${CONFIG_MAPS}?dryRun=All`, described, { accept: type });
    const posted = await server.send('POST', CONFIG_MAPS, {
      body: dry.bytes as Uint8Array<ArrayBuffer>,
      headers: { 'content-type': type },
    });
    expect(posted).toMatchObject({ status: 201, body: { data: { key: 'value' } } });
  });

  test('R081: GET of a resource path returns the object', async ({ server }) => {
    const made = await server.configMap('x');
    const { status, body } = await server.get(`${CONFIG_MAPS}/x`);
    expect({ status, body }).toEqual({ status: 200, body: made });
    expect(await server.get(`${CONFIG_MAPS}/y`)).toMatchObject({ status: 404 });
  });

  test('R082: GET of a collection path returns a list', async ({ server }) => {
    await server.configMap('x');
    const { status, body } = await server.get(CONFIG_MAPS);
    expect({ status, kind: body.kind, length: body.items.length }).toEqual({
      status: 200,
      kind: 'ConfigMapList',
      length: 1,
    });
  });

  test('R083: GET with watch returns a stream of events, of a collection or one object', async ({
    server,
  }) => {
    const all = await server.watch(`${CONFIG_MAPS}?watch=1`);
    const one = await server.watch(`${CONFIG_MAPS}/y?watch=1`);
    for (const name of ['x', 'y', 'z']) await server.configMap(name);
    await server.delete(`${CONFIG_MAPS}/y`);
    expect(await all.types(4)).toEqual(['ADDED x', 'ADDED y', 'ADDED z', 'DELETED y']);
    expect(await one.types(2)).toEqual(['ADDED y', 'DELETED y']);
  });

  test('R084: PUT replaces an entire object', async ({ server }) => {
    const made = await server.configMap('x', { data: { a: '1', b: '2' } });
    const { status, body } = await server.put(`${CONFIG_MAPS}/x`, { ...made, data: { b: '3' } });
    expect({ status, data: body.data }).toEqual({ status: 200, data: { b: '3' } });
    expect((await server.get(`${CONFIG_MAPS}/x`)).body).toEqual(body);
  });

  test('R085: PATCH changes an object according to its content type', async ({ server }) => {
    await server.configMap('x', { data: { a: '1' } });
    const json = [{ op: 'add', path: '/data/b', value: '2' }];
    const first = await server.patch(`${CONFIG_MAPS}/x`, JSON_PATCH, json);
    expect(first).toMatchObject({ status: 200, body: { data: { a: '1', b: '2' } } });
    const second = await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { data: { a: null } });
    expect(second.body.data).toEqual({ b: '2' });
    const third = await server.patch(`${CONFIG_MAPS}/x`, STRATEGIC_PATCH, {
      data: { $patch: 'replace', c: '3' },
    });
    expect(third.body.data).toEqual({ c: '3' });
    expect(await server.patch(`${CONFIG_MAPS}/x`, 'application/json', {})).toMatchObject({ status: 415 });
  });

  test('R086: DELETE of a resource path deletes the object', async ({ server }) => {
    await server.configMap('x');
    await server.configMap('y');
    expect(await server.delete(`${CONFIG_MAPS}/x`)).toMatchObject({ status: 200 });
    expect(await server.get(`${CONFIG_MAPS}/x`)).toMatchObject({ status: 404 });
    expect(await server.delete(`${CONFIG_MAPS}/x`)).toMatchObject({ status: 404 });
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] };
    await server.delete(`${CONFIG_MAPS}/y`, options);
    expect(await server.get(`${CONFIG_MAPS}/y`)).toMatchObject({ status: 200 });
  });

  test('R087: DELETE of a collection path deletes the selected objects', async ({ server }) => {
    await server.configMap('x', { metadata: { labels: { app: 'shop' } } });
    await server.configMap('y');
    await server.post('/api/v1/namespaces/b/configmaps', { metadata: { name: 'z' } });
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] };
    await server.delete(CONFIG_MAPS, options);
    expect((await server.get(CONFIG_MAPS)).body.items).toHaveLength(2);
    const selected = await server.delete(`${CONFIG_MAPS}?labelSelector=app%3Dshop`);
    expect(selected).toMatchObject({ status: 200, body: { items: [{ metadata: { name: 'x' } }] } });
    expect((await server.get(CONFIG_MAPS)).body.items).toMatchObject([{ metadata: { name: 'y' } }]);
    await server.delete(CONFIG_MAPS);
    expect((await server.get(ALL_CONFIG_MAPS)).body.items).toMatchObject([{ metadata: { name: 'z' } }]);
  });

  test('R089: labels and fields are selected by parameters', async ({ server }) => {
    await server.configMap('x', { metadata: { labels: { app: 'shop', tier: 'front' } } });
    await server.configMap('y', { metadata: { labels: { app: 'shop' } } });
    await server.configMap('z');
    const names = async (query: string): Promise<readonly string[]> =>
      (await server.get(`${CONFIG_MAPS}?${query}`)).body.items.map(({ metadata }) => metadata.name);
    expect(await names('labelSelector=app%3Dshop')).toEqual(['x', 'y']);
    expect(await names('labelSelector=app%2C!tier')).toEqual(['y']);
    expect(await names('labelSelector=app+notin+(shop)')).toEqual(['z']);
    expect(await names('fieldSelector=metadata.name%3Dy')).toEqual(['y']);
    expect(await names('fieldSelector=metadata.name!%3Dy')).toEqual(['x', 'z']);
    expect(await names('labelSelector=app&fieldSelector=metadata.name%3Dz')).toEqual([]);
  });

  test('R089: a deletion returns a Status that names the object', async ({ server }) => {
    const { metadata } = await server.configMap('x');
    const { body } = await server.delete(`${CONFIG_MAPS}/x`);
    const details = { name: 'x', kind: 'configmaps', uid: metadata.uid };
    expect(body).toEqual({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
  });

  test('R091: PUT creates or replaces, as the object exists or not', async ({ server, vocabulary }) => {
    const leases = `/apis/coordination.${vocabulary.groupDomain}/v1/namespaces/a/leases`;
    const made = await server.put(`${leases}/x`, { metadata: { name: 'x' } });
    expect(made.status).toBe(201);
    const spec = { holderIdentity: 'me' };
    expect(await server.put(`${leases}/x`, { ...made.body, spec })).toMatchObject({
      status: 200,
      body: { spec },
    });
    expect(await server.put(`${CONFIG_MAPS}/x`, { metadata: { name: 'x' } })).toMatchObject({ status: 404 });
    expect(await server.patch(`${leases}/y`, MERGE_PATCH, { spec })).toMatchObject({ status: 404 });
  });

  test('R092: single requests change single objects', async ({ server }) => {
    const list = { apiVersion: 'v1', kind: 'ConfigMapList', items: [{ metadata: { name: 'x' } }] };
    expect(await server.post(CONFIG_MAPS, list)).toMatchObject({ status: 400 });
    for (const name of ['x', 'y']) await server.configMap(name);
    expect(await server.put(CONFIG_MAPS, list)).toMatchObject({ status: 405 });
    expect(await server.patch(CONFIG_MAPS, MERGE_PATCH, { data: {} })).toMatchObject({ status: 405 });
    await server.put(`${CONFIG_MAPS}/x`, { metadata: { name: 'x' }, data: { key: 'value' } });
    await server.delete(`${CONFIG_MAPS}/x`);
    const { items } = (await server.get(CONFIG_MAPS)).body;
    expect(items.map(({ metadata, data }) => [metadata.name, data])).toEqual([['y', undefined]]);
  });

  test('R093: watch is a different verb than get', async ({ server }) => {
    await server.configMap('x');
    const response = await server.watch(`${CONFIG_MAPS}/x?watch=true`);
    expect(await response.next()).toMatchObject({ type: 'ADDED', object: { kind: 'ConfigMap' } });
    for (const off of ['false', '0']) {
      const { body } = await server.get(`${CONFIG_MAPS}/x?watch=${off}`);
      expect(body).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'x' } });
    }
    const absent = await server.watch(`${CONFIG_MAPS}/y?watch=1`);
    expect(absent.response.status).toBe(200);
  });
});
