import { expect } from 'vitest';
import { CONFIG_MAPS, forEachVocabulary, GADGETS, WIDGETS } from '../clause-server.fixture.ts';

const custom = (kind: string) => ({
  apiVersion: 'example.com/v1',
  kind,
  metadata: { name: 'x' },
  spec: { size: 3 },
});

forEachVocabulary('Table representation', (test) => {
  test('R048: a table has columns with names and types, and a row for each object', async ({
    server,
    vocabulary,
  }) => {
    const accept = `application/json;as=Table;g=meta.${vocabulary.groupDomain};v=v1`;
    await server.post(WIDGETS, custom('Widget'));
    const { headers, body } = await server.get(WIDGETS, { accept });
    expect(headers.get('content-type')).toBe('application/json');
    expect(body).toMatchObject({
      kind: 'Table',
      apiVersion: `meta.${vocabulary.groupDomain}/v1`,
      columnDefinitions: [
        { name: 'Name', type: 'string' },
        { name: 'Size', type: 'integer' },
      ],
      rows: [{ cells: ['x', 3], object: { metadata: { name: 'x' } } }],
    });
    const list = (await server.get(WIDGETS)).body.metadata;
    expect(body.metadata).toEqual(list);
  });

  test('R048: a type without columns shows names and creation times', async ({ server, vocabulary }) => {
    const accept = `application/json;as=Table;g=meta.${vocabulary.groupDomain};v=v1`;
    await server.post(GADGETS, custom('Gadget'));
    for (const path of [GADGETS, `${GADGETS}/x`]) {
      expect((await server.get(path, { accept })).body).toMatchObject({
        kind: 'Table',
        columnDefinitions: [
          { name: 'Name', type: 'string' },
          { name: 'Created At', type: 'date' },
        ],
        rows: [{ cells: ['x', '2001-01-01T00:00:00Z'] }],
      });
    }
  });

  test('R114: types without a table fall back to the next accepted format', async ({
    server,
    vocabulary,
  }) => {
    const table = `application/json;as=Table;g=meta.${vocabulary.groupDomain};v=v1`;
    await server.configMap('x');
    const unknown = 'application/json;as=Table;g=example.com;v=v1';
    expect(await server.get(CONFIG_MAPS, { accept: unknown })).toMatchObject({ status: 406 });
    const both = await server.get(CONFIG_MAPS, { accept: `${unknown},application/json` });
    expect(both).toMatchObject({ status: 200, body: { kind: 'ConfigMapList' } });
    const fitting = await server.get(CONFIG_MAPS, { accept: `${table},application/json` });
    expect(fitting).toMatchObject({ status: 200, body: { kind: 'Table' } });
  });
});
