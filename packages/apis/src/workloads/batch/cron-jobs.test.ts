import { kubernetesVocabulary } from '@ashlar/core';
import { expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { cronJobs } from './cron-jobs.ts';
import { timeZoneError } from './time-zone.ts';

it.each([
  ['Nowhere/Town', 'unknown time zone Nowhere/Town'],
  ['utc', 'unknown time zone utc'],
  ['JAPAN', 'unknown time zone JAPAN'],
  ['PST', 'unknown time zone PST'],
  ['Us/Pacific', 'unknown time zone Us/Pacific'],
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

it('a cron job with the zone of the machine has one error', async () => {
  const spec = { schedule: '@daily', timeZone: 'Local', jobTemplate: {} };
  const resource = new InMemoryResource(cronJobs(kubernetesVocabulary));
  const causes = await causesOf(resource.create({ metadata: { name: 'a' }, spec }));
  expect(causes.filter((cause) => cause.startsWith('spec.timeZone'))).toEqual([
    expect.stringContaining('must be an explicit time zone'),
  ]);
});

it('a cron job with a zone of one machine has two errors', async () => {
  const spec = { schedule: '@daily', timeZone: 'local', jobTemplate: {} };
  const resource = new InMemoryResource(cronJobs(kubernetesVocabulary));
  const causes = await causesOf(resource.create({ metadata: { name: 'a' }, spec }));
  expect(causes.filter((cause) => cause.startsWith('spec.timeZone'))).toEqual([
    expect.stringContaining('must be an explicit time zone'),
    'spec.timeZone: Invalid value: "local": unknown time zone local',
  ]);
});

it.each([
  'UTC',
  'Europe/Berlin',
  'Etc/GMT+1',
  'US/Pacific',
  'GMT',
  'America/Port-au-Prince',
  'Asia/Kolkata',
  'America/Argentina/Salta',
  'Cuba',
])('a cron job has the time zone %s', (name) => {
  expect(timeZoneError(name)).toBeUndefined();
});
