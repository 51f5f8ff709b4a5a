import { StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../testing/test-api.fixture.ts';
import { namespaces, notes } from '../testing/test-resources.fixture.ts';
import { parseIncludeObject } from './include-object.ts';

const NOTES = '/api/v1/namespaces/x/notes';
const asTable = { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' };

async function withNotes(...names: readonly string[]): Promise<TestApi> {
  const api = createTestApi();
  for (const name of names) await api.ask('POST', NOTES, { metadata: { name }, text: `about ${name}` });
  return api;
}

describe('tables', () => {
  it('show a list by the columns of its type', async () => {
    const api = await withNotes('a', 'b');
    const { status, headers, json } = await api.ask('GET', NOTES, { headers: asTable });
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    expect(json).toEqual({
      kind: 'Table',
      apiVersion: 'meta.orch.io/v1',
      metadata: { resourceVersion: '3' },
      columnDefinitions: [
        { name: 'Name', type: 'string', format: 'name', description: 'Its name.', priority: 0 },
        { name: 'Text', type: 'string', format: '', description: '', priority: 1 },
      ],
      rows: ['a', 'b'].map((name) => ({
        cells: [name, `about ${name}`],
        object: {
          kind: 'PartialObjectMetadata',
          apiVersion: 'meta.orch.io/v1',
          metadata: expect.objectContaining({ name, namespace: 'x', resourceVersion: expect.any(String) }),
        },
      })),
    });
  });

  it('show one object under its own version', async () => {
    const { json } = await (await withNotes('a')).ask('GET', `${NOTES}/a`, { headers: asTable });
    expect(json).toMatchObject({ metadata: { resourceVersion: '2' }, rows: [{ cells: ['a', 'about a'] }] });
  });

  it('are empty for an empty list', async () => {
    const { json } = await (await withNotes()).ask('GET', NOTES, { headers: asTable });
    expect(json).toMatchObject({ rows: [] });
  });

  it('include the requested part of each object', async () => {
    const api = await withNotes('a');
    const rowsOf = async (include: string): Promise<unknown> =>
      (await api.ask('GET', `${NOTES}?includeObject=${include}`, { headers: asTable })).json.rows;
    expect(await rowsOf('None')).toMatchObject([{ object: null }]);
    expect(await rowsOf('Object')).toMatchObject([
      { object: { kind: 'Note', apiVersion: 'v1', text: 'about a' } },
    ]);
    expect(await rowsOf('')).toMatchObject([{ object: { kind: 'PartialObjectMetadata' } }]);
  });

  it('follow the object and the clock', async () => {
    const age = { name: 'Age', type: 'string' as const, cell: (_: unknown, now: number) => now };
    const version = { ...notes.versions[0], columns: [age] } as (typeof notes.versions)[0];
    const api = createTestApi({ definitions: [namespaces, { ...notes, versions: [version] }] });
    await api.ask('POST', NOTES, { metadata: { name: 'a' } });
    const cell = async (): Promise<unknown> =>
      (await api.ask('GET', NOTES, { headers: asTable })).json.rows as { cells: unknown }[];
    const before = await cell();
    api.clock.advance(5000);
    expect(before).toMatchObject([{ cells: [api.clock.now() - 5000] }]);
    expect(await cell()).toMatchObject([{ cells: [api.clock.now()] }]);
  });

  it('show types without columns by name and age', async () => {
    const api = await withNotes();
    await api.ask('POST', '/api/v1/namespaces', { metadata: { name: 'x' } });
    const { json } = await api.ask('GET', '/api/v1/namespaces', { headers: asTable });
    expect(json).toMatchObject({
      columnDefinitions: [
        { name: 'Name', type: 'string', format: 'name' },
        { name: 'Created At', type: 'date', format: '' },
      ],
      rows: [{ cells: ['x', '2024-01-02T03:04:05Z'] }],
    });
    for (const accept of [asTable.accept, asTable.accept.replace('json', 'yaml')]) {
      for (const query of ['labelSelector=a', 'labelSelector=a&pretty=1']) {
        const none = await api.ask('GET', `/api/v1/namespaces?${query}`, { headers: { accept } });
        expect(none.text).toMatch(/rows"?: ?null/);
      }
    }
  });

  it('have the same content in YAML and indented JSON', async () => {
    const api = await withNotes('a');
    const plain = (await api.ask('GET', NOTES, { headers: asTable })).text;
    const pretty = (await api.ask('GET', `${NOTES}?pretty=1`, { headers: asTable })).text;
    expect(pretty).toBe(JSON.stringify(JSON.parse(plain), null, 2));
    const yaml = await api.ask('GET', NOTES, { headers: { accept: asTable.accept.replace('json', 'yaml') } });
    expect(yaml.headers['content-type']).toBe('application/yaml');
    expect(yaml.text).toContain('kind: Table\n');
    expect(yaml.text).toContain('about a');
  });

  it('are returned for writes, too', async () => {
    const api = await withNotes();
    const headers = { ...asTable, 'content-type': 'application/json' };
    const { status, json } = await api.ask('POST', NOTES, { headers, body: '{"metadata":{"name":"n"}}' });
    expect([status, json.kind]).toEqual([201, 'Table']);
    const refused = await api.ask('POST', NOTES, { headers, body: '{"metadata":{"name":"n"}}' });
    expect([refused.status, refused.json.kind]).toEqual([409, 'Status']);
  });
});

describe('parseIncludeObject', () => {
  it('accepts its three values, and nothing for Metadata', () => {
    expect([undefined, '', 'None', 'Metadata', 'Object'].map(parseIncludeObject)).toEqual([
      'Metadata',
      'Metadata',
      'None',
      'Metadata',
      'Object',
    ]);
  });

  it('rejects all others', () => {
    expect(() => parseIncludeObject('object')).toThrow(StatusError);
    expect(() => parseIncludeObject('x')).toThrow(
      `Unable to convert to Table as requested: includeObject: Invalid value: "x": must be 'Metadata', 'Object', 'None', or empty`,
    );
  });
});
