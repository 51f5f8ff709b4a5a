import type { ResourceDefinition } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/test-api.fixture.ts';
import { namespaces, notes } from '../testing/test-resources.fixture.ts';

const NOTES = '/api/v1/namespaces/x/notes';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

describe('the status of a missing object', () => {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Note', metadata: { name: 'b' }, text: 'abc' });
  const statuses = async (strategy: Partial<ResourceDefinition['strategy']>): Promise<readonly number[]> => {
    const ask = async (method: string, headers: Readonly<Record<string, string>>): Promise<number> => {
      const creating = { ...notes, strategy: { ...notes.strategy, ...strategy } };
      const api = createTestApi({ definitions: [namespaces, creating] });
      const query = headers === APPLY ? '?fieldManager=m' : '';
      return (await api.ask(method, `${NOTES}/b/status${query}`, { headers, body })).status;
    };
    const json = { 'content-type': 'application/json' };
    return [await ask('PUT', json), await ask('PATCH', APPLY), await ask('PATCH', MERGE)];
  };

  it('creates it by PUT and apply if a PUT of the object does', async () => {
    expect(await statuses({ allowsCreateOnUpdate: true })).toEqual([201, 201, 404]);
    expect(await statuses({ allowsCreateOnUpdate: false })).toEqual([404, 404, 404]);
  });
});
