import { workloadResources } from '@ashlar/apis/workloads';
import { kubernetesVocabulary, orchVocabulary, type Vocabulary } from '@ashlar/core';
import { nodeClock } from '@ashlar/http-node';
import { type ApiServer, createApiServer } from '@ashlar/server';
import { createMemoryStore, type KeyValueStore } from '@ashlar/storage';
import { createEtcdStore } from '@ashlar/storage-etcd';
import { withWatchCache } from '@ashlar/watch-cache';
import { expect, test } from 'vitest';
import {
  etcdProgram,
  NO_ETCD,
  startEtcd,
} from '../../packages/storage-etcd/src/client/etcd-process.fixture.ts';
import { raceAgainstQuota, sequence } from './quota-race.fixture.ts';

async function start(vocabulary: Vocabulary, storage: KeyValueStore): Promise<ApiServer> {
  const resources = workloadResources(vocabulary);
  // servers over one memory close it under each other
  const server = createApiServer({ vocabulary, storage, resources, onError: () => {} });
  await server.ready;
  return server;
}

const RACE = { limit: 20, requests: 1_500, parallel: 32 };

async function expectNeverExceeded(servers: readonly ApiServer[], seed: number): Promise<void> {
  const race = await raceAgainstQuota(servers, { ...RACE, random: sequence(seed) });
  expect(race.most).toBe(RACE.limit);
  expect(race.created + race.refused + race.deleted).toBe(RACE.requests);
  // what was deleted was given back
  expect(race.created).toBeGreaterThan(5 * RACE.limit);
  const path = '/api/v1/namespaces/default/resourcequotas/q';
  const used = async (): Promise<string> => {
    const found = await (servers[0] as ApiServer).client.request({ method: 'GET', path });
    return (found as { status: { used: { configmaps: string } } }).status.used.configmaps;
  };
  await expect.poll(used).toBe(String(race.left));
}

test.each([kubernetesVocabulary, orchVocabulary])(
  'two servers over one memory never exceed a quota, in vocabulary $name',
  async (vocabulary) => {
    const storage = createMemoryStore({ clock: nodeClock });
    await using a = await start(vocabulary, storage);
    await using b = await start(vocabulary, storage);
    await expectNeverExceeded([a, b], 3);
  },
);

test('two servers over one etcd never exceed a quota', async (context) => {
  context.skip(!etcdProgram, NO_ETCD);
  await using etcd = await startEtcd();
  const storage = async (): Promise<KeyValueStore> =>
    withWatchCache(await createEtcdStore({ endpoints: [etcd.url] }), { clock: nodeClock });
  await using a = await start(orchVocabulary, await storage());
  await using b = await start(orchVocabulary, await storage());
  await expectNeverExceeded([a, b], 5);
});
