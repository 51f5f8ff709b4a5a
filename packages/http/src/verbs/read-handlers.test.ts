import type { ResourceDefinition } from '@ashlar/registry';
import { expect, it } from 'vitest';
import { createTestApi } from '../testing/test-api.fixture.ts';
import { namespaces, notes } from '../testing/test-resources.fixture.ts';

const note = { apiVersion: 'v1', kind: 'Note', metadata: { name: 'a' } };

it('reads what has no versions, whatever version and token are asked for', async () => {
  const unstored: ResourceDefinition = {
    ...notes,
    storage: { get: () => note, list: () => ({ items: [note], resourceVersion: '' }) },
  };
  const statuses = async (definition: ResourceDefinition): Promise<readonly number[]> => {
    const api = await createTestApi({ definitions: [namespaces, definition] });
    const get = await api.ask('GET', '/api/v1/namespaces/x/notes/a?resourceVersion=y');
    const list = await api.ask('GET', '/api/v1/namespaces/x/notes?resourceVersion=y&continue=z');
    return [get.status, list.status];
  };
  expect(await statuses({ ...unstored, ignoresVersions: true })).toEqual([200, 200]);
  expect(await statuses(unstored)).toEqual([400, 400]);
});
