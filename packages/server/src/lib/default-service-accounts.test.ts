import type { ResourceClient } from '@ashlar/client';
import { StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { type ApiServer, type ApiServerOptions, createApiServer } from './create-api-server.ts';

const core = { group: '', version: 'v1' };
const accountsOf = ({ client }: ApiServer): ResourceClient =>
  client.resource({ ...core, resource: 'serviceaccounts', kind: 'ServiceAccount' });
const namespacesOf = ({ client }: ApiServer): ResourceClient =>
  client.resource({ ...core, resource: 'namespaces', kind: 'Namespace' });

async function start(options: ApiServerOptions = {}): Promise<ApiServer> {
  const server = createApiServer({ controllers: ['namespace', 'serviceaccount'], ...options });
  await server.ready;
  return server;
}

const owners = async (server: ApiServer): Promise<readonly (string | undefined)[]> =>
  (await accountsOf(server).list()).items.map(({ metadata }) => metadata.namespace).sort();

const SYSTEM = ['default', 'orch-node-lease', 'orch-public', 'orch-system'];

describe('the service account default', () => {
  it('is in every namespace, those that come later too', async () => {
    await using server = await start();
    await expect.poll(() => owners(server)).toEqual(SYSTEM);
    await namespacesOf(server).create({ metadata: { name: 'late' } });
    await expect.poll(() => owners(server)).toEqual(['default', 'late', ...SYSTEM.slice(1)]);
    expect((await accountsOf(server).namespace('late').get('default')).metadata.name).toBe('default');
  });

  it('comes again when it is deleted, unless its namespace goes', async () => {
    await using server = await start();
    await expect.poll(() => owners(server)).toEqual(SYSTEM);
    const { uid } = (await accountsOf(server).namespace('default').get('default')).metadata;
    await accountsOf(server).namespace('default').delete('default');
    const uidNow = (): Promise<string | undefined> =>
      accountsOf(server)
        .namespace('default')
        .get('default')
        .then(
          ({ metadata }) => metadata.uid,
          () => uid,
        );
    await expect.poll(uidNow).not.toBe(uid);
    await namespacesOf(server).delete('orch-node-lease');
    await expect.poll(() => owners(server)).toEqual(SYSTEM.filter((name) => name !== 'orch-node-lease'));
  });

  it('is nobody else’s concern, and not made where it is not asked for', async () => {
    const errors: unknown[] = [];
    await using server = await start({ controllers: true, onError: (error) => errors.push(error) });
    await namespacesOf(server).create({ metadata: { name: 'late' } });
    expect(await owners(server)).toEqual([]);
    await expect(accountsOf(server).namespace('late').get('default')).rejects.toThrow(StatusError);
    expect(errors).toEqual([]);
  });
});
