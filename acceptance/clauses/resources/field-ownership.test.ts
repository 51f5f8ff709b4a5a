import { expect } from 'vitest';
import {
  CONFIG_MAPS,
  forEachVocabulary,
  MERGE_PATCH,
  WIDGETS,
  type WireObject,
} from '../clause-server.fixture.ts';

const configuration = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
const agent = (name: string) => ({ 'user-agent': name });
const managers = ({ metadata }: WireObject) =>
  (metadata.managedFields ?? []).map(({ manager, operation }) => `${manager} ${operation}`);

forEachVocabulary('Field-ownership record', (test) => {
  test('R034: the server maintains metadata.managedFields', async ({ server }) => {
    const made = await server.post(
      CONFIG_MAPS,
      { metadata: { name: 'x' }, data: { a: '1' } },
      agent('writer/1'),
    );
    expect(made.body.metadata.managedFields).toEqual([
      {
        manager: 'writer',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2001-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } },
      },
    ]);
  });

  test('R053: manager is the name of the manager', async ({ server }) => {
    await server.apply(`${CONFIG_MAPS}/x`, 'applier', { ...configuration, data: { a: '1' } });
    const path = `${CONFIG_MAPS}/x?fieldManager=patcher`;
    const { body } = await server.patch(path, MERGE_PATCH, { data: { b: '2' } });
    expect(managers(body)).toEqual(['applier Apply', 'patcher Update']);
  });

  test('R054: operation is Apply for applied fields, else Update', async ({ server }) => {
    const applied = await server.apply(`${CONFIG_MAPS}/x`, 'me', { ...configuration, data: { a: '1' } });
    expect(managers(applied.body)).toEqual(['me Apply']);
    const path = `${CONFIG_MAPS}/x?fieldManager=me`;
    const { body } = await server.patch(path, MERGE_PATCH, { data: { a: '2' } });
    expect(managers(body)).toEqual(['me Update']);
  });

  test('R055: apiVersion is the version in which fields are named', async ({ server }) => {
    const widget = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'x' },
      spec: { size: 1 },
    };
    const { body } = await server.apply(`${WIDGETS}/x`, 'me', widget);
    expect(body.metadata.managedFields).toMatchObject([{ apiVersion: 'example.com/v1' }]);
    const map = await server.apply(`${CONFIG_MAPS}/x`, 'me', { ...configuration, data: { a: '1' } });
    expect(map.body.metadata.managedFields).toMatchObject([{ apiVersion: 'v1' }]);
  });

  test('R056: time is the time of the last change of the fields', async ({ timed }) => {
    const apply = async (data: object): Promise<unknown> => {
      const { body } = await timed.apply(`${CONFIG_MAPS}/x`, 'me', { ...configuration, data });
      return body.metadata.managedFields[0]?.time;
    };
    expect(await apply({ a: '1' })).toBe('2001-01-01T00:00:00Z');
    await timed.clock.advance(10_000);
    expect(await apply({ a: '1' })).toBe('2001-01-01T00:00:00Z');
    expect(await apply({ a: '2' })).toBe('2001-01-01T00:00:10Z');
  });

  test('R057: fieldsType is FieldsV1, other types are not supported', async ({ server }) => {
    const { body } = await server.apply(`${CONFIG_MAPS}/x`, 'me', { ...configuration, data: { a: '1' } });
    expect(body.metadata.managedFields).toMatchObject([{ fieldsType: 'FieldsV1' }]);
    const [entry] = body.metadata.managedFields;
    const foreign = { ...body.metadata, managedFields: [{ ...entry, fieldsType: 'FieldsV2' }] };
    const put = await server.put(`${CONFIG_MAPS}/x`, { ...body, metadata: foreign });
    expect(put.body.metadata.managedFields).toEqual(body.metadata.managedFields);
  });

  test('R058: fieldsV1 is a tree of prefixed names that ends in empty objects', async ({ server }) => {
    const metadata = { name: 'x', labels: { app: 'shop' }, finalizers: ['example.com/a'] };
    const spec = { size: 1, options: { a: 'b' }, tags: ['red'], ports: [{ port: 80, name: 'web' }] };
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec };
    const { body } = await server.apply(`${WIDGETS}/x`, 'me', widget);
    expect(body.metadata.managedFields[0]?.fieldsV1).toEqual({
      'f:metadata': { 'f:labels': { 'f:app': {} }, 'f:finalizers': { 'v:"example.com/a"': {} } },
      'f:spec': {
        'f:size': {},
        'f:options': { 'f:a': {} },
        'f:tags': { 'v:"red"': {} },
        'f:ports': { 'k:{"port":80}': { '.': {}, 'f:port': {}, 'f:name': {} } },
      },
    });
  });

  test('R059: editing managed fields does not make clients owners', async ({ server }) => {
    const { body } = await server.apply(`${CONFIG_MAPS}/x`, 'me', { ...configuration, data: { a: '1' } });
    const { managedFields } = body.metadata;
    for (const sent of [[], null]) {
      const patched = await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, {
        metadata: { managedFields: sent },
      });
      expect(patched.body.metadata.managedFields).toEqual(managedFields);
    }
    const forged = { ...managedFields[0], manager: 'forger', operation: 'Update' };
    const made = await server.configMap('y', { data: { a: '1' }, metadata: { managedFields: [forged] } });
    expect(managers(made)).not.toContain('forger Update');
  });
});
