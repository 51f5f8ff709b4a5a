import { expect, it } from 'vitest';
import { createApiServer } from '../index.ts';

it('a path with an empty namespace lists all objects, and deletes none', async () => {
  await using server = createApiServer({ controllers: false });
  await server.ready;
  const maps = server.client.resource({
    group: '',
    version: 'v1',
    resource: 'configmaps',
    kind: 'ConfigMap',
  });
  await maps.namespace('default').create({ metadata: { name: 'a' } });
  const ask = async (method: string, path: string): Promise<readonly unknown[]> => {
    const url = `http://server/api/v1/namespaces//configmaps${path}`;
    const response = await server.fetch(new Request(url, { method }));
    const { message } = (await response.json()) as { readonly message?: string };
    return [response.status, message];
  };
  const refused = [400, 'Namespace parameter required.'];
  expect(await ask('GET', '')).toEqual([200, undefined]);
  expect(await ask('DELETE', '')).toEqual(refused);
  expect((await ask('DELETE', '/a'))[0]).toBe(404);
  expect((await maps.namespace('default').get('a')).metadata.name).toBe('a');
});
