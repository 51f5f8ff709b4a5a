import { kubernetesVocabulary } from '@ashlar/core';
import { expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { cronJobs } from './cron-jobs.ts';
import { timeZoneError } from './time-zone.ts';

it.each([
  ['Nowhere/Town', 'unknown time zone Nowhere/Town'],
  ['utc', 'unknown time zone utc'],
  ['Europe/berlin', 'unknown time zone Europe/berlin'],
  ['a..b', 'time: invalid location name'],
  ['a/b..c', 'time: invalid location name'],
  ['-a..b', 'unknown time zone -a..b'],
  ['../Town', 'unknown time zone ../Town'],
  ['/etc/localtime', 'unknown time zone /etc/localtime'],
])('a cron job has no time zone %s', async (timeZone, why) => {
  const containers = [{ name: 'c', image: 'i' }];
  const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers } } } };
  const spec = { schedule: '@daily', timeZone, jobTemplate };
  const resource = new InMemoryResource(cronJobs(kubernetesVocabulary));
  expect(await causesOf(resource.create({ metadata: { name: 'a' }, spec }))).toEqual([
    `spec.timeZone: Invalid value: ${JSON.stringify(timeZone)}: ${why}`,
  ]);
});

it.each(['UTC', 'Europe/Berlin', 'Etc/GMT+1', 'US/Pacific', 'GMT', 'America/Port-au-Prince'])(
  'a cron job has the time zone %s',
  (name) => {
    expect(timeZoneError(name)).toBeUndefined();
  },
);
