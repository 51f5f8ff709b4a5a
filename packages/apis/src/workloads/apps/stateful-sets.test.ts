import { type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { FormerObjects, withValue } from '../inherited/former-objects.fixture.ts';
import { statefulSets } from './stateful-sets.ts';

const labels = { app: 'x' };
const withUpdates = (rollingUpdate: JsonObject): JsonObject => ({
  metadata: { name: 'a' },
  spec: {
    ...{ selector: { matchLabels: labels }, serviceName: 's' },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate },
  },
});

describe('stateful sets', () => {
  it('have no number of pods that may be unavailable during an update, as its gate is off', async () => {
    const resource = new InMemoryResource(statefulSets(kubernetesVocabulary));
    const strategy = { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } };
    const created = await resource.create(withUpdates({ maxUnavailable: 0 }));
    expect(created).toMatchObject(strategy);
    expect(created).not.toHaveProperty('spec.updateStrategy.rollingUpdate.maxUnavailable');
    const replaced = await resource.replace('a', withUpdates({ partition: 0, maxUnavailable: 1 }));
    expect(replaced).not.toHaveProperty('spec.updateStrategy.rollingUpdate.maxUnavailable');
    expect(replaced.metadata.generation).toBe(1);
  });

  it.each([
    [0, 'cannot be 0'],
    [-1, 'must be greater than or equal to 0'],
    ['150%', 'must not be greater than 100%'],
  ])('that are stored with such a number are validated: %s', async (maxUnavailable, why) => {
    const former = new FormerObjects(statefulSets);
    const path = 'spec.updateStrategy.rollingUpdate.maxUnavailable';
    const stored = await former.store(withUpdates({ partition: 0 }), (valid) =>
      withValue(valid, path, maxUnavailable),
    );
    expect(await causesOf(former.resource.replace('a', stored))).toEqual([
      expect.stringMatching(new RegExp(`: ${why}$`)),
    ]);
  });

  it('have a status whose own errors come before those of metadata', async () => {
    const resource = new InMemoryResource(statefulSets(kubernetesVocabulary));
    await resource.create(withUpdates({ partition: 0 }));
    const wrong = resource.change(
      'a',
      (object) => ({
        ...object,
        metadata: { ...(object.metadata as JsonObject), finalizers: ['a'] },
        status: { replicas: 0, updatedReplicas: -1 },
      }),
      'status',
    );
    expect((await causesOf(wrong)).map((cause) => cause.split(':')[0])).toEqual([
      'status.updatedReplicas',
      'metadata.finalizers[0]',
    ]);
  });
});
