import { type ApiObject, ageText } from '@ashlar/core';
import type { ColumnDefinition, ResourceDefinition } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../testing/test-api.fixture.ts';
import { namespaces, notes } from '../testing/test-resources.fixture.ts';

const NOTES = '/api/v1/namespaces/x/notes';
const asTable = { headers: { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' } };

/** A server of notes with these columns, and how often their cells were computed. */
async function withColumns(
  columns: readonly ColumnDefinition[],
  more: Partial<ResourceDefinition> = {},
): Promise<TestApi> {
  const version = { ...(notes.versions[0] as (typeof notes.versions)[0]), columns };
  const api = createTestApi({ definitions: [namespaces, { ...notes, ...more, versions: [version] }] });
  await api.ask('POST', NOTES, { metadata: { name: 'a' }, text: 't' });
  return api;
}

async function rowOf(api: TestApi, query = ''): Promise<Record<string, unknown>> {
  const { json } = await api.ask('GET', NOTES + query, asTable);
  return (json as unknown as { rows: Record<string, unknown>[] }).rows[0] as Record<string, unknown>;
}

const created = ({ metadata }: ApiObject): string | null | undefined => metadata.creationTimestamp;

describe('rows of a table', () => {
  it('update an age as it changes, and keep other cells', async () => {
    let made = 0;
    const api = await withColumns([
      { name: 'Made', type: 'integer', cell: () => ++made, timeless: true },
      { name: 'Age', type: 'string', cell: (o, now) => ageText(created(o), now), ageOf: created },
    ]);
    const cells: unknown[] = [];
    for (const seconds of [0, 0.5, 1, 118, 60, 0, 3 * 3600]) {
      api.clock.advance(seconds * 1000);
      cells.push((await rowOf(api)).cells);
    }
    expect(cells).toEqual([
      [1, '0s'],
      [1, '0s'],
      [1, '1s'],
      [1, '119s'],
      [1, '2m59s'],
      [1, '2m59s'],
      [1, '3h2m'],
    ]);
    expect(made).toBe(1);
  });

  it('are computed anew every second if their changes are not predictable', async () => {
    let made = 0;
    const api = await withColumns([{ name: 'Made', type: 'integer', cell: () => ++made }]);
    await rowOf(api);
    expect((await rowOf(api)).cells).toEqual([1]);
    api.clock.advance(1000);
    expect((await rowOf(api)).cells).toEqual([2]);
  });

  it('contain conditions between their cells and their object', async () => {
    const condition = { type: 'Completed', status: 'True', reason: 'x<', message: '' };
    const api = await withColumns([{ name: 'N', type: 'string', cell: () => 'n', timeless: true }], {
      rowConditions: () => [condition],
    });
    expect(Object.entries(await rowOf(api))).toEqual([
      ['cells', ['n']],
      ['conditions', [condition]],
      ['object', expect.objectContaining({ kind: 'PartialObjectMetadata' })],
    ]);
  });

  it('contain the same object, cached or not', async () => {
    const api = await withColumns([{ name: 'N', type: 'string', cell: () => 'n', timeless: true }]);
    for (const include of ['None', 'Metadata', 'Object']) {
      const query = `?includeObject=${include}`;
      const pretty = JSON.parse((await api.ask('GET', `${NOTES}${query}&pretty=true`, asTable)).text);
      expect(await rowOf(api, query)).toEqual(pretty.rows[0]);
      expect(await rowOf(api, query)).toEqual(pretty.rows[0]);
    }
  });

  it('show later writes', async () => {
    const api = await withColumns([
      {
        name: 'Text',
        type: 'string',
        cell: (object) => (object as { text?: string }).text ?? '',
        timeless: true,
      },
    ]);
    expect((await rowOf(api)).cells).toEqual(['t']);
    await api.ask('PUT', `${NOTES}/a`, { metadata: { name: 'a' }, text: 'u' });
    expect(await rowOf(api)).toMatchObject({ cells: ['u'], object: { metadata: { resourceVersion: '3' } } });
  });
});
