import { kubernetesVocabulary } from '@ashlar/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { nodes } from './nodes.ts';

let resource: InMemoryResource;

beforeEach(() => {
  resource = new InMemoryResource(nodes(kubernetesVocabulary));
});

const configSource = { configMap: { name: 'a', namespace: 'b', kubeletConfigKey: 'c' } };
const status = { config: { error: 'x' }, features: { supplementalGroupsPolicy: true }, phase: 'Running' };

describe('a node', () => {
  it('takes no settings from config maps, and has no status of features at first', async () => {
    const made = await resource.create({
      metadata: { name: 'n' },
      spec: { configSource, podCIDR: '10.0.0.0/24' },
      status,
    });
    expect(made.spec).toEqual({ podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] });
    expect(made.status).toMatchObject({ phase: 'Running' });
    for (const name of ['config', 'features']) expect(made.status).not.toHaveProperty(name);
    const replaced = await resource.replace('n', {
      metadata: { name: 'n' },
      spec: { ...(made.spec as object), configSource },
    });
    expect(replaced.spec).toEqual(made.spec);
    const changed = await resource.replace('n', { metadata: { name: 'n' }, status }, 'status');
    expect(changed.status).not.toHaveProperty('config');
    expect(changed.status).toMatchObject({ features: status.features });
  });
});
