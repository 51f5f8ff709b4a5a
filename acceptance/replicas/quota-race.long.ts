import { orchVocabulary } from '@ashlar/core';
import { expect, test } from 'vitest';
import { raceAgainstQuota, sequence, startCounting } from './quota-race.fixture.ts';
import { cached, ENGINES } from './shared-database.fixture.ts';

const RACE = { limit: 50, requests: 100_000, parallel: 128 };

test.for(ENGINES)(
  `${RACE.requests} requests to two servers over one $name never exceed a quota`,
  { timeout: 600_000 },
  async ({ missing, start }, context) => {
    context.skip(missing !== undefined, missing);
    await using database = await start();
    await using a = await startCounting(orchVocabulary, await cached(database.open('quota')));
    await using b = await startCounting(orchVocabulary, await cached(database.open('quota')));
    const race = await raceAgainstQuota([a, b], { ...RACE, random: sequence(7) });
    expect(race.most).toBeLessThanOrEqual(RACE.limit);
    expect(race.most).toBeGreaterThan(RACE.limit / 2);
    expect(race.created + race.refused + race.deleted + race.unanswered).toBe(RACE.requests);
    expect(race.created).toBeGreaterThan(100 * RACE.limit);
  },
);
