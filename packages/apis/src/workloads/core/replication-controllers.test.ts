import { type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import { expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { replicationControllers } from './replication-controllers.ts';

it('a replication controller selects its template, also by a label that none can have', async () => {
  const resource = new InMemoryResource(replicationControllers(kubernetesVocabulary));
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const causes = (selector: Record<string, string>): Promise<readonly string[]> =>
    causesOf(resource.create({ metadata: { name: 'r' }, spec: { replicas: -1, selector, template } }));
  const negative = expect.stringMatching(/^spec\.replicas: Invalid value/);
  expect(await causes({ a: '-1' })).toEqual([
    negative,
    expect.stringMatching(/^spec\.template\.metadata\.labels: .*`selector` does not match template `labels`/),
  ]);
  expect(await causes({ a: 'b' })).toEqual([negative]);
});

it('a replication controller keeps labels when its status is written without any', async () => {
  const resource = new InMemoryResource(replicationControllers(kubernetesVocabulary));
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  await resource.create({ metadata: { name: 'r' }, spec: { template } });
  const bare = ({ apiVersion, kind }: JsonObject): JsonObject => ({
    apiVersion,
    kind,
    metadata: { name: 'r' },
  });
  const { metadata } = await resource.change('r', bare, 'status');
  expect(metadata).toMatchObject({ labels: { a: 'b' } });
});

it('a replication controller keeps a selector that could not be converted', async () => {
  const resource = new InMemoryResource(replicationControllers(kubernetesVocabulary));
  const prefix = 'non-convertible.kubernetes.io';
  const controller = (label: string, annotations: JsonObject): JsonObject => ({
    metadata: { name: 'r', annotations },
    spec: {
      template: { metadata: { labels: { [label]: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  });
  await resource.create(controller('a', { [`${prefix}/spec.selector`]: 'y', [`${prefix}`]: 'z' }));
  const kept = await resource.replace('r', controller('a', { [`${prefix}/foo`]: 'y' }));
  expect(kept.metadata.annotations).toEqual({ [`${prefix}/foo`]: 'y' });
  expect(await causesOf(resource.replace('r', controller('b', {})))).toEqual([
    'foo: Not found: "y": unknown non-convertible field',
  ]);
  const other = new InMemoryResource(replicationControllers(kubernetesVocabulary));
  await other.create(controller('a', { [`${prefix}/spec.selector`]: 'y' }));
  expect(await causesOf(other.replace('r', controller('b', {})))).toEqual([
    expect.stringMatching(/^spec\.selector: Invalid value: .*: cannot update non-convertible selector$/),
  ]);
});
