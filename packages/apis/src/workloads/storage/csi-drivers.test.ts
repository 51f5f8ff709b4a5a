import { kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { csiDrivers } from './csi-drivers.ts';

describe('a new CSI driver', () => {
  it('has the generation that is sent, or none', async () => {
    const resource = new InMemoryResource(csiDrivers(kubernetesVocabulary));
    const generation = async (name: string, more: object): Promise<number | undefined> =>
      (await resource.create({ metadata: { name, ...more }, spec: {} })).metadata.generation;
    expect([await generation('a', {}), await generation('b', { generation: 7 })]).toEqual([undefined, 7]);
  });
});
