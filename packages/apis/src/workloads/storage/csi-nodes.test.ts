import { type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { csiNodes } from './csi-nodes.ts';

const COUNT = 20_000;

describe('drivers of a node', () => {
  it('of topology keys by the ten thousand are validated with pauses', () => {
    const topologyKeys = Array.from({ length: COUNT }, (_, i) => (i < 2 ? 'a' : `a${i}`));
    const object = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name: 'a' },
      spec: { drivers: [{ name: 'a.io', nodeID: 'a', topologyKeys }] },
    };
    const steps = csiNodes(kubernetesVocabulary).strategy.validateSteps?.(object);
    let pauses = 0;
    let last = steps?.next();
    for (; last && !last.done; last = steps?.next()) pauses++;
    expect(last?.value).toEqual([
      expect.objectContaining({ field: 'spec.drivers[0]', message: 'Duplicate value: "a"' }),
    ]);
    expect(pauses).toBeGreaterThan(COUNT / 128);
  });

  it('without topology keys are as those with an empty list of them', async () => {
    const resource = new InMemoryResource(csiNodes(kubernetesVocabulary));
    const node = (driver: JsonObject): JsonObject => ({
      metadata: { name: 'a' },
      spec: { drivers: [{ name: 'a.io', nodeID: 'a', ...driver }] },
    });
    await resource.create(node({}));
    const changed = (driver: JsonObject): Promise<unknown> =>
      resource.change('a', (object) => ({
        ...object,
        ...node(driver),
        metadata: object.metadata as JsonObject,
      }));
    await changed({ topologyKeys: [] });
    await expect(changed({ topologyKeys: ['a'] })).rejects.toThrow('field is immutable');
  });
});
