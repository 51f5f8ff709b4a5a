import { setImmediate } from 'node:timers/promises';
import type { ConfigMap } from '@ashlar/apis';
import { workloadResources } from '@ashlar/apis/workloads';
import type { ResourceClient } from '@ashlar/client';
import { orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from './api-server.ts';
import type { ApiServerOptions } from './api-server-options.ts';
import { createApiServer } from './create-api-server.ts';

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
  it('is created in every namespace, new ones included', async () => {
    await using server = await start();
    await expect.poll(() => owners(server)).toEqual(SYSTEM);
    await namespacesOf(server).create({ metadata: { name: 'late' } });
    await expect.poll(() => owners(server)).toEqual(['default', 'late', ...SYSTEM.slice(1)]);
    expect((await accountsOf(server).namespace('late').get('default')).metadata.name).toBe('default');
  });

  it('is created again after deletion, unless its namespace is being deleted', async () => {
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

  it('is created for pods, unless plugin or controller are disabled', async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const resources = workloadResources(orchVocabulary);
    await using server = await start({
      controllers: true,
      resources,
      onError,
    });
    await expect.poll(() => owners(server)).toEqual(SYSTEM);
    for (const options of [
      {},
      { resources, disabledAdmissionPlugins: ['ServiceAccount'] as const },
      {
        resources,
        controllers: ['*', '-serviceaccount'] as const,
      },
    ]) {
      await using without = await start({ controllers: true, onError, ...options });
      await setImmediate();
      expect(await owners(without)).toEqual([]);
    }
    expect(errors).toEqual([]);
  });
});

describe('the authority of the server', () => {
  const mapsOf = ({ client }: ApiServer): ResourceClient<ConfigMap> =>
    client.resource<ConfigMap>({ ...core, resource: 'configmaps', kind: 'ConfigMap' });
  const received = async (server: ApiServer): Promise<readonly string[]> =>
    (await mapsOf(server).list()).items.map(
      ({ metadata, data }) => `${metadata.namespace}/${metadata.name}: ${JSON.stringify(data)}`,
    );

  it('is published in every namespace, and restored after changes', async () => {
    await using server = await start({ controllers: true, rootCertificateAuthority: 'PEM' });
    const whole = SYSTEM.map((namespace) => `${namespace}/orch-root-ca.crt: {"ca.crt":"PEM"}`);
    await expect.poll(() => received(server)).toEqual(whole);
    const maps = mapsOf(server).namespace('default');
    const retained = await maps.get('orch-root-ca.crt');
    await maps.update({ ...retained, data: { 'ca.crt': 'other', more: 'x' } });
    await expect.poll(() => received(server)).toEqual(whole);
    await maps.delete('orch-root-ca.crt');
    await expect.poll(() => received(server)).toEqual(whole);
  });

  it('is not published if it is not given', async () => {
    await using server = await start({ controllers: true });
    await setImmediate();
    expect(await received(server)).toEqual([]);
  });
});
