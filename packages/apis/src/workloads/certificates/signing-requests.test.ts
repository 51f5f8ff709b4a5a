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
  expect(await causes('a', ['x', 'x', ''])).toEqual([
    ofRequest,
    unsupported,
    unsupported,
    unsupported,
    'spec.usages[1]: Duplicate value: "x"',
  ]);
});

const path = 'spec.signerName: Invalid value: ';
const notQualified = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
const short = 'should be a domain with at least two segments separated by dots';

it.each<[string, readonly string[]]>([
  ['a.b', [`${path}"a.b": ${notQualified}`]],
  ['a.b/c/d', [`${path}"a.b/c/d": ${notQualified}`]],
  ['a/b', [`${path}"a": ${short}`]],
  ['/', [`${path}"": validating label "": `, `${path}"": ${short}`, `${path}"": validating label "": `]],
  ['A.B/c', [`${path}"A.B": validating label "A": `]],
  ['a.b/c..D', [`${path}"c..D": validating label "": `]],
  [`${'a.'.repeat(127)}a/b`, ['spec.signerName: Too long: may not be more than 253 bytes']],
  [`a.b/${'c.'.repeat(285)}c`, []],
  [
    `a.b/${'c'.repeat(572)}`,
    ['must be no more than 253 characters', 'spec.signerName: Too long: may not be more than 571 bytes'],
  ],
  [`a.b/${'c.'.repeat(286)}c`, ['spec.signerName: Too long: may not be more than 571 bytes']],
])('a signing request names its signer by a domain and a path: %s', async (signerName, expected) => {
  const spec = { request: 'YQ==', signerName, usages: ['any'] };
  const resource = new InMemoryResource(certificateSigningRequests(kubernetesVocabulary));
  const [, ...found] = await causesOf(resource.create({ metadata: { name: 'a' }, spec }));
  expect(found).toEqual(expected.map((start) => expect.stringContaining(start)));
});
