import { expect } from 'vitest';
import { type ClauseServer, forEachVocabulary, type Reply, WIDGETS } from '../clause-server.fixture.ts';

const apply = (server: ClauseServer, manager: string, spec: object): Promise<Reply> =>
  server.apply(`${WIDGETS}/x`, manager, {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'x' },
    spec,
  });

/** Two managers apply one field; returns the result, or the conflict. */
async function shared(server: ClauseServer, field: string, one: unknown, other: unknown): Promise<unknown> {
  await apply(server, 'one', { [field]: one });
  const { status, body } = await apply(server, 'other', { [field]: other });
  return status === 409 ? 'conflict' : (body.spec as Record<string, unknown>)[field];
}

forEachVocabulary('Merge-strategy markers', (test) => {
  test('R061: an atomic list has one owner and is replaced as a whole', async ({ server }) => {
    expect(await shared(server, 'whole', ['a'], ['b'])).toBe('conflict');
    const { body } = await apply(server, 'one', { whole: ['c', 'd'] });
    expect(body.spec).toEqual({ whole: ['c', 'd'] });
    const { fieldsV1 } = body.metadata.managedFields[0] ?? {};
    expect(fieldsV1).toEqual({ 'f:spec': { 'f:whole': {} } });
  });

  test('R061: the elements of a set have owners of their own, and are unique', async ({ server }) => {
    expect(await shared(server, 'tags', ['a', 'b'], ['b', 'c'])).toEqual(['a', 'b', 'c']);
    const { body } = await apply(server, 'one', { tags: [] });
    expect(body.spec).toEqual({ tags: ['b', 'c'] });
    expect(await apply(server, 'one', { tags: ['d', 'd'] })).toMatchObject({ status: 400 });
  });

  test('R062: the entries of a map list are identified by their keys', async ({ server }) => {
    const web = { port: 80, name: 'web' };
    const shell = { port: 22, name: 'shell' };
    expect(await shared(server, 'ports', [web], [shell])).toEqual([web, shell]);
    const renamed = await apply(server, 'other', { ports: [{ port: 80, name: 'other' }] });
    expect(renamed.status).toBe(409);
    const { body } = await apply(server, 'one', { ports: [] });
    expect(body.spec).toEqual({ ports: [shell] });
    const twice = await apply(server, 'one', { ports: [web, { port: 80, name: 'again' }] });
    expect(twice.status).toBe(400);
    expect(await apply(server, 'one', { ports: [{ name: 'web' }] })).toMatchObject({ status: 400 });
  });

  test('R063: an atomic map has one owner, a granular one has an owner for each field', async ({
    server,
  }) => {
    expect(await shared(server, 'options', { a: '1' }, { b: '2' })).toEqual({ a: '1', b: '2' });
    expect(await shared(server, 'fixed', { a: '1' }, { b: '2' })).toBe('conflict');
  });

  test('R064: structs are granular unless they are marked atomic', async ({ server }) => {
    expect(await shared(server, 'pair', { first: '1' }, { second: '2' })).toEqual({
      first: '1',
      second: '2',
    });
    expect(await shared(server, 'bound', { first: '1' }, { second: '2' })).toBe('conflict');
  });

  test('R065: patchStrategy and patchMergeKey make a map list', async ({ server }) => {
    const web = { port: 80, name: 'web' };
    const shell = { port: 22, name: 'shell' };
    expect(await shared(server, 'patched', [web], [shell])).toEqual([web, shell]);
  });

  test('R065: without markers, lists are atomic and all keys are fields', async ({ server }) => {
    expect(await shared(server, 'steps', ['a'], ['b'])).toBe('conflict');
    const { body } = await apply(server, 'third', { pair: { first: '1' } });
    const { fieldsV1 } = body.metadata.managedFields.find(({ manager }) => manager === 'third') ?? {};
    expect(fieldsV1).toEqual({ 'f:spec': { 'f:pair': { 'f:first': {} } } });
  });

  test('R066: built-in kinds have markers of their own', async ({ server }) => {
    const accounts = '/api/v1/namespaces/a/serviceaccounts/x';
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'x' } };
    const secrets = (name: string) => ({ ...account, secrets: [{ name }] });
    await server.apply(accounts, 'one', secrets('a'));
    const { body } = await server.apply(accounts, 'other', secrets('b'));
    expect(body.secrets).toEqual([{ name: 'a' }, { name: 'b' }]);
    const pulls = (name: string) => ({ ...account, imagePullSecrets: [{ name }] });
    await server.apply(accounts, 'one', pulls('a'));
    expect(await server.apply(accounts, 'other', pulls('b'))).toMatchObject({ status: 409 });
  });
});
