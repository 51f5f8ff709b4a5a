import type { JsonObject } from '@ashlar/core';
import { expect, it } from 'vitest';
import { causesOf } from '../../types/in-memory-resource.fixture.ts';
import { FormerObjects, withValue } from '../inherited/former-objects.fixture.ts';
import { jobs } from './jobs.ts';

const job = {
  metadata: { name: 'a' },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
};

/** The labels of the template and the selector without what has a domain. */
function former(stored: JsonObject): JsonObject {
  const { uid } = stored.metadata as { uid: string };
  const labels = { 'controller-uid': uid, 'job-name': 'a' };
  const labelled = withValue(stored, 'spec.template.metadata.labels', labels);
  return withValue(labelled, 'spec.selector', { matchLabels: { 'controller-uid': uid } });
}

it('a job of a former release is written without labels that have a domain', async () => {
  const objects = new FormerObjects(jobs);
  const stored = await objects.store(job, former);
  const changed = await objects.resource.replace('a', withValue(stored, 'metadata.labels', { b: 'c' }));
  expect(changed.metadata.labels).toMatchObject({ b: 'c' });
});

it('a job keeps its labels that have a domain', async () => {
  const objects = new FormerObjects(jobs);
  const stored = await objects.store(job, (created) => created);
  expect(await causesOf(objects.resource.replace('a', former(stored)))).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^spec\.template\.metadata\.labels\[batch\.kubernetes\.io\/job-name\]: Required/),
    ]),
  );
});
