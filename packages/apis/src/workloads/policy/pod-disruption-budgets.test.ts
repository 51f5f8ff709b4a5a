import { kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { podDisruptionBudgets } from './pod-disruption-budgets.ts';

describe('a new disruption budget', () => {
  it('has its metadata checked only if the rest of it is valid', async () => {
    const resource = new InMemoryResource(podDisruptionBudgets(kubernetesVocabulary));
    const metadata = { name: 'a', finalizers: ['b c'] };
    const fields = async (spec: object): Promise<readonly string[]> => {
      const causes = await causesOf(resource.create({ metadata, spec: { ...spec } }));
      return causes.map((cause) => cause.split(': ')[0] ?? '');
    };
    expect(await fields({ minAvailable: 1, maxUnavailable: 1 })).toEqual(['spec']);
    expect(await fields({ minAvailable: 1 })).toEqual(['metadata.finalizers']);
  });
});
