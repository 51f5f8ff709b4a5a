import { workloadResources } from '@ashlar/apis/workloads';
import type { ResourceClient } from '@ashlar/client';
import { type ApiObject, kubernetesVocabulary, orchVocabulary, type Vocabulary } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { createMemoryStore } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../assembly/api-server.ts';
import { createApiServer } from '../assembly/create-api-server.ts';

interface Quota extends ApiObject {
  readonly spec?: { readonly hard: Readonly<Record<string, string>> };
  readonly status?: {
    readonly hard?: Readonly<Record<string, string>>;
    readonly used?: Readonly<Record<string, string>>;
  };
}

async function start(
  vocabulary: Vocabulary,
  storage = createMemoryStore({ clock: nodeAmbient(vocabulary).clock }),
): Promise<ApiServer> {
  const server = createApiServer({ vocabulary, storage, resources: workloadResources(vocabulary) });
  await server.ready;
  return server;
}

const of = <T extends ApiObject>(server: ApiServer, resource: string, kind: string): ResourceClient<T> =>
  server.client.resource<T>({ group: '', version: 'v1', resource, kind }).namespace('default');

const quotasOf = (server: ApiServer): ResourceClient<Quota> => of(server, 'resourcequotas', 'ResourceQuota');
const mapsOf = (server: ApiServer): ResourceClient<ApiObject> => of(server, 'configmaps', 'ConfigMap');
const usedOf = async (server: ApiServer) => (await quotasOf(server).get('q')).status?.used;

const quota = (hard: Readonly<Record<string, string>>): Quota => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'q' },
  spec: { hard },
});
const map = (name: string): ApiObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

describe.each([kubernetesVocabulary, orchVocabulary])(
  'quotas of a server in vocabulary $name',
  (vocabulary) => {
    it('count what exists, what is created and what is deleted', async () => {
      await using server = await start(vocabulary);
      const maps = mapsOf(server);
      await maps.create(map('old'));
      await quotasOf(server).create(quota({ configmaps: '3', secrets: '1' }));
      await expect.poll(() => usedOf(server)).toEqual({ configmaps: '1', secrets: '0' });
      await maps.create(map('a'));
      await maps.create(map('b'));
      await expect(maps.create(map('c'))).rejects.toThrow('exceeded quota: q');
      await maps.delete('old');
      await expect.poll(() => usedOf(server)).toEqual({ configmaps: '2', secrets: '0' });
      await maps.create(map('c'));
      await expect(maps.create(map('d'))).rejects.toThrow('exceeded quota: q');
    });

    it('follow changes of their limits', async () => {
      await using server = await start(vocabulary);
      const quotas = quotasOf(server);
      await quotas.create(quota({ configmaps: '1' }));
      await expect.poll(() => usedOf(server)).toEqual({ configmaps: '0' });
      const other = of(server, 'secrets', 'Secret');
      await other.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } });
      await quotas.update({ ...(await quotas.get('q')), ...{ spec: { hard: { secrets: '2' } } } });
      await expect
        .poll(async () => (await quotas.get('q')).status)
        .toEqual({ hard: { secrets: '2' }, used: { secrets: '1' } });
      await other.delete('s');
      await expect.poll(() => usedOf(server)).toEqual({ secrets: '0' });
    });

    it('give back what pods requested when they have ended', async () => {
      await using server = await start(vocabulary);
      const pods = of<ApiObject>(server, 'pods', 'Pod');
      await quotasOf(server).create(quota({ pods: '1', 'requests.cpu': '1', 'count/pods': '5' }));
      await expect.poll(() => usedOf(server)).toEqual({ pods: '0', 'requests.cpu': '0', 'count/pods': '0' });
      const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '700m' } } }];
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p' },
        spec: { containers },
      } as ApiObject;
      await pods.create(pod);
      expect(await usedOf(server)).toEqual({ pods: '1', 'requests.cpu': '700m', 'count/pods': '1' });
      const stored = await pods.get('p');
      const path = '/api/v1/namespaces/default/pods/p/status';
      await server.client.request({
        method: 'PUT',
        path,
        body: { ...stored, status: { phase: 'Succeeded' } },
      });
      await expect.poll(() => usedOf(server)).toEqual({ pods: '0', 'requests.cpu': '0', 'count/pods': '1' });
      await pods.delete('p', { gracePeriodSeconds: 0 });
      await expect.poll(() => usedOf(server)).toEqual({ pods: '0', 'requests.cpu': '0', 'count/pods': '0' });
    });
  },
);
