import { kubernetesVocabulary } from '@ashlar/core';
import { expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { csiStorageCapacities } from './csi-storage-capacities.ts';

it('a changed capacity is checked as a whole before what may not change', async () => {
  const resource = new InMemoryResource(csiStorageCapacities(kubernetesVocabulary));
  const created = await resource.create({ metadata: { name: 'c' }, storageClassName: 'fast' });
  const { resourceVersion } = created.metadata as { readonly resourceVersion: string };
  const changed = {
    metadata: { name: 'c', resourceVersion, labels: { '-': 'x' } },
    ...{ storageClassName: 'A', capacity: '-1' },
  };
  const label = expect.stringMatching(/^metadata\.labels: /);
  const causes = await causesOf(resource.replace('c', changed));
  expect(causes.slice(causes.findIndex((cause) => cause.startsWith('storageClassName')) - 1)).toEqual([
    label,
    expect.stringMatching(/^storageClassName: .*RFC 1123 subdomain/),
    expect.stringMatching(/^capacity: .*greater than or equal to 0/),
    label,
    'storageClassName: Invalid value: "A": field is immutable',
  ]);
});
