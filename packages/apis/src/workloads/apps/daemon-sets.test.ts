import { type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import { expect, it } from 'vitest';
import { InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { daemonSets } from './daemon-sets.ts';

const counted = (count: string): JsonObject => ({
  metadata: { name: 'a', annotations: { 'deprecated.daemonset.template.generation': count } },
  spec: {
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});

it.each(['x', '', '1.5', '99999999999999999999'])(
  'a daemon set whose templates are counted as %j cannot be read',
  async (count) => {
    const resource = new InMemoryResource(daemonSets(kubernetesVocabulary));
    await expect(resource.create(counted(count))).rejects.toThrow(
      `DaemonSet in version "v1" cannot be handled as a DaemonSet: strconv.ParseInt: parsing ${JSON.stringify(count)}`,
    );
  },
);

it('a daemon set brings the count of its templates', async () => {
  const resource = new InMemoryResource(daemonSets(kubernetesVocabulary));
  expect((await resource.create(counted('5'))).metadata.annotations).toEqual({
    'deprecated.daemonset.template.generation': '5',
  });
});
