import { kubernetesVocabulary } from '@ashlar/core';
import { expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { certificateSigningRequests } from './signing-requests.ts';

const causes = (name: string, usages: readonly string[]): Promise<readonly string[]> => {
  const spec = { request: 'YQ==', signerName: 'example.com/signer', usages: [...usages] };
  const resource = new InMemoryResource(certificateSigningRequests(kubernetesVocabulary));
  return causesOf(resource.create({ metadata: { name }, spec }));
};
const unsupported = expect.stringMatching(/^spec\.usages\[\d\]: Unsupported value/);
const ofRequest = expect.stringMatching(/^spec\.request/);

it('a signing request has any name', async () => {
  expect(await causes('A_b$', ['any'])).toEqual([ofRequest]);
});

it('a signing request names each usage once, by a known name', async () => {
  expect(await causes('a', ['any', 'any'])).toEqual([ofRequest, 'spec.usages[1]: Duplicate value: "any"']);
  expect(await causes('a', ['', 'x', 'x'])).toEqual([
    ofRequest,
    unsupported,
    unsupported,
    unsupported,
    'spec.usages[2]: Duplicate value: "x"',
  ]);
});
