import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { nodeClock } from '@ashlar/http-node';
import type { ApiServer } from '@ashlar/server';
import { createMemoryStore } from '@ashlar/storage';
import { expect, test } from 'vitest';
import { createUntilRefused, raceAgainstQuota, sequence, startCounting } from './quota-race.fixture.ts';
import { cached, ENGINES } from './shared-database.fixture.ts';

const RACE = { limit: 20, requests: 1_500, parallel: 32 };

async function expectNeverExceeded(servers: readonly ApiServer[], seed: number): Promise<void> {
  const race = await raceAgainstQuota(servers, { ...RACE, random: sequence(seed) });
  expect(race.most).toBeLessThanOrEqual(RACE.limit);
  expect(race.created + race.refused + race.deleted + race.unanswered).toBe(RACE.requests);
  // what was deleted was given back
  expect(race.created).toBeGreaterThan(5 * RACE.limit);
  const path = '/api/v1/namespaces/default/resourcequotas/q';
  const [first] = servers as readonly [ApiServer];
  const used = async (): Promise<string> => {
    const found = await first.client.request({ method: 'GET', path });
    return (found as { status: { used: { configmaps: string } } }).status.used.configmaps;
  };
  await expect.poll(used).toBe(String(race.left));
  expect(race.left + (await createUntilRefused(first))).toBe(RACE.limit);
}

test.each([kubernetesVocabulary, orchVocabulary])(
  'two servers over one memory never exceed a quota, in vocabulary $name',
  async (vocabulary) => {
    const storage = createMemoryStore({ clock: nodeClock });
    await using a = await startCounting(vocabulary, storage);
    await using b = await startCounting(vocabulary, storage);
    await expectNeverExceeded([a, b], 3);
  },
);

test.for(ENGINES)('two servers over one $name never exceed a quota', async ({ missing, start }, context) => {
  context.skip(missing !== undefined, missing);
  await using database = await start();
  await using a = await startCounting(orchVocabulary, await cached(database.open('quota')));
  await using b = await startCounting(orchVocabulary, await cached(database.open('quota')));
  await expectNeverExceeded([a, b], 5);
});
