import { expect } from 'vitest';
import {
  ALL_CONFIG_MAPS,
  CONFIG_MAPS,
  forEachVocabulary,
  GADGETS,
  WIDGETS,
} from '../clause-server.fixture.ts';

forEachVocabulary('Collection response', (test) => {
  test('R037: the kind of a list ends with List', async ({ server, vocabulary }) => {
    const leases = `/apis/coordination.${vocabulary.groupDomain}/v1/leases`;
    const kinds = {
      [CONFIG_MAPS]: 'ConfigMapList',
      [ALL_CONFIG_MAPS]: 'ConfigMapList',
      '/api/v1/namespaces': 'NamespaceList',
      [leases]: 'LeaseList',
      [WIDGETS]: 'WidgetList',
      [GADGETS]: 'GadgetList',
    };
    for (const [path, kind] of Object.entries(kinds)) expect((await server.get(path)).body.kind).toBe(kind);
  });

  test('R039: a list has the apiVersion of its items', async ({ server, vocabulary }) => {
    const group = `coordination.${vocabulary.groupDomain}`;
    expect((await server.get(CONFIG_MAPS)).body.apiVersion).toBe('v1');
    expect((await server.get(`/apis/${group}/v1/leases`)).body.apiVersion).toBe(`${group}/v1`);
    expect((await server.get(WIDGETS)).body.apiVersion).toBe('example.com/v1');
  });

  test('R040: a list contains its version, the same in each chunk', async ({ server }) => {
    for (const name of ['x', 'y']) await server.configMap(name);
    const { metadata } = await server.configMap('z');
    const first = (await server.get(`${CONFIG_MAPS}?limit=2`)).body;
    expect(first.metadata.resourceVersion).toBe(metadata.resourceVersion);
    await server.configMap('later');
    const second = (await server.get(`${CONFIG_MAPS}?limit=2&continue=${first.metadata.continue}`)).body;
    expect(second.metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  test('R041: continue contains the next token and is empty at the end', async ({ server }) => {
    for (const name of ['x', 'y', 'z']) await server.configMap(name);
    const first = (await server.get(`${CONFIG_MAPS}?limit=2`)).body;
    expect(first.metadata.continue).not.toBe('');
    const second = (await server.get(`${CONFIG_MAPS}?limit=2&continue=${first.metadata.continue}`)).body;
    expect(second.items.map(({ metadata }) => metadata.name)).toEqual(['z']);
    expect(second.metadata.continue).toBe('');
  });

  test('R042: remainingItemCount counts the items after a chunk', async ({ server }) => {
    for (const name of ['v', 'w', 'x', 'y', 'z'])
      await server.configMap(name, { metadata: { labels: { a: 'b' } } });
    const first = (await server.get(`${CONFIG_MAPS}?limit=2`)).body.metadata;
    expect(first.remainingItemCount).toBe(3);
    const second = (await server.get(`${CONFIG_MAPS}?limit=2&continue=${first.continue}`)).body.metadata;
    expect(second.remainingItemCount).toBe(1);
    const last = (await server.get(`${CONFIG_MAPS}?limit=2&continue=${second.continue}`)).body.metadata;
    expect(last).not.toHaveProperty('remainingItemCount');
    expect((await server.get(CONFIG_MAPS)).body.metadata).not.toHaveProperty('remainingItemCount');
  });

  test('R042: remainingItemCount is omitted with selectors', async ({ server }) => {
    for (const name of ['x', 'y', 'z']) await server.configMap(name, { metadata: { labels: { a: 'b' } } });
    for (const selector of ['labelSelector=a%3Db', 'fieldSelector=metadata.namespace%3Da']) {
      const { metadata } = (await server.get(`${CONFIG_MAPS}?limit=1&${selector}`)).body;
      expect(metadata.continue).not.toBe('');
      expect(metadata).not.toHaveProperty('remainingItemCount');
    }
  });

  test('R043: items are the objects of the collection, an empty array for none', async ({ server }) => {
    expect((await server.get(CONFIG_MAPS)).body.items).toEqual([]);
    const { kind: _, apiVersion: __, ...configMap } = await server.configMap('x', { data: { key: 'value' } });
    expect((await server.get(CONFIG_MAPS)).body.items).toEqual([configMap]);
    const gadget = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'x' } };
    const made = (await server.post(GADGETS, gadget)).body;
    expect((await server.get(GADGETS)).body.items).toEqual([made]);
  });

  test('R044: no resource type has the kind List', async ({ server, vocabulary }) => {
    const groups = ['/api/v1', `/apis/coordination.${vocabulary.groupDomain}/v1`, '/apis/example.com/v1'];
    for (const path of groups) {
      const { resources } = (await server.get(path)).body;
      expect(resources.map(({ kind }) => kind)).not.toContain('List');
    }
    const list = { apiVersion: 'v1', kind: 'List', items: [] };
    expect(await server.post(CONFIG_MAPS, list)).toMatchObject({ status: 400 });
  });
});
