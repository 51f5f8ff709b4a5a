import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/test-api.fixture.ts';

const NOTES = '/api/v1/namespaces/x/notes';
const as = (kind: string, version = 'v1'): object => ({
  headers: { accept: `application/json;as=${kind};g=meta.orch.io;v=${version}` },
});

describe('PartialObjectMetadata', () => {
  it('is returned for one object', async () => {
    const api = createTestApi();
    await api.ask('POST', NOTES, { metadata: { name: 'a', labels: { b: 'c' } }, text: 't' });
    const { json } = await api.ask('GET', `${NOTES}/a`, as('PartialObjectMetadata', 'v1beta1'));
    expect(json).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.orch.io/v1beta1',
      metadata: expect.objectContaining({ name: 'a', resourceVersion: '2', labels: { b: 'c' } }),
    });
  });

  it('is returned for a list, in pages, each item with its kind', async () => {
    const api = createTestApi();
    for (const name of ['a', 'b', 'c']) await api.ask('POST', NOTES, { metadata: { name }, text: 't' });
    const { json } = await api.ask('GET', `${NOTES}?limit=2`, as('PartialObjectMetadataList'));
    expect(json).toEqual({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.orch.io/v1',
      metadata: { resourceVersion: '4', continue: expect.any(String), remainingItemCount: 1 },
      items: ['a', 'b'].map((name) => ({
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.orch.io/v1',
        metadata: expect.objectContaining({ name }),
      })),
    });
    expect(
      (await api.ask('GET', '/api/v1/namespaces/none/notes', as('PartialObjectMetadataList'))).json.items,
    ).toEqual([]);
  });
});
