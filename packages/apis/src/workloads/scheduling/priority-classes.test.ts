import { type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { priorityClasses } from './priority-classes.ts';

const reserved = (why: string): readonly string[] => [
  `metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: ${why}`,
];

describe('a priority class of the system', () => {
  it.each<[string, JsonObject, string]>([
    ['system-a', { value: 1 }, 'system-a is not a known system priority class'],
    ['system-node-critical', { value: 1 }, 'value of system-node-critical PriorityClass must be 2000001000'],
    [
      'system-cluster-critical',
      { value: 2_000_000_000, globalDefault: true },
      'globalDefault of system-cluster-critical PriorityClass must be false',
    ],
  ])('has a known value: %s', async (name, fields, why) => {
    const resource = new InMemoryResource(priorityClasses(kubernetesVocabulary));
    expect(await causesOf(resource.create({ metadata: { name }, ...fields }))).toEqual(reserved(why));
  });

  it('is not deleted by its name', async () => {
    const resource = new InMemoryResource(priorityClasses(kubernetesVocabulary));
    await resource.create({ metadata: { name: 'system-node-critical' }, value: 2_000_001_000 });
    await resource.create({ metadata: { name: 'a' }, value: 1 });
    await expect(resource.delete('system-node-critical')).rejects.toMatchObject({
      status: {
        code: 403,
        message:
          'priorityclasses.scheduling.k8s.io "system-node-critical" is forbidden: this is a system priority class and cannot be deleted',
      },
    });
    expect(await resource.delete('a')).toMatchObject({ removed: true });
  });
});
