import { orchVocabulary } from '@ashlar/core';
import { expect, test } from 'vitest';
import {
  etcdProgram,
  NO_ETCD,
  startEtcd,
} from '../../packages/storage-etcd/src/client/etcd-process.fixture.ts';
import { etcdStorage, raceAgainstQuota, sequence, startCounting } from './quota-race.fixture.ts';

const RACE = { limit: 50, requests: 100_000, parallel: 128 };

test(`${RACE.requests} requests to two servers over one etcd never exceed a quota`, async (context) => {
  context.skip(!etcdProgram, NO_ETCD);
  await using etcd = await startEtcd();
  await using a = await startCounting(orchVocabulary, await etcdStorage(etcd.url));
  await using b = await startCounting(orchVocabulary, await etcdStorage(etcd.url));
  const race = await raceAgainstQuota([a, b], { ...RACE, random: sequence(7) });
  expect(race.most).toBe(RACE.limit);
  expect(race.created + race.refused + race.deleted).toBe(RACE.requests);
  expect(race.created).toBeGreaterThan(100 * RACE.limit);
});
