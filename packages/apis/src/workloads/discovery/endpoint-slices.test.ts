import { type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { endpointSlices } from './endpoint-slices.ts';

describe('the generation of an endpoint slice', () => {
  const slice = (endpoint: JsonObject = {}): JsonObject => ({
    metadata: { name: 'a' },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.2.3'], ...endpoint }],
  });

  it('counts a change of the old topology, which is dropped', async () => {
    const resource = new InMemoryResource(endpointSlices(kubernetesVocabulary));
    expect((await resource.create(slice())).metadata.generation).toBe(1);
    expect((await resource.replace('a', slice())).metadata.generation).toBe(1);
    const changed = await resource.replace('a', slice({ deprecatedTopology: { a: '1' } }));
    expect(changed).toMatchObject({ metadata: { generation: 2 }, endpoints: [{ addresses: ['10.1.2.3'] }] });
    expect(JSON.stringify(changed)).not.toContain('deprecatedTopology":');
  });
});
