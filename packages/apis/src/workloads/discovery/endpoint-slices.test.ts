import { type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { FormerObjects, withValue } from '../inherited/former-objects.fixture.ts';
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

  it('counts no list as an empty one', async () => {
    const resource = new InMemoryResource(endpointSlices(kubernetesVocabulary));
    await resource.create(slice());
    expect((await resource.replace('a', { ...slice(), ports: [] })).metadata.generation).toBe(1);
    expect((await resource.replace('a', { ...slice(), ports: [{ port: 80 }] })).metadata.generation).toBe(2);
  });
});

it('the old topology of a slice that is stored with it is validated', async () => {
  const former = new FormerObjects(endpointSlices);
  const endpoints = [{ addresses: ['10.1.2.3'] }];
  const deprecatedTopology = { 'a b': 'c' };
  const stored = await former.store({ metadata: { name: 'a' }, addressType: 'IPv4', endpoints }, (valid) =>
    withValue(valid, 'endpoints.0.deprecatedTopology', deprecatedTopology),
  );
  expect(await causesOf(former.resource.replace('a', stored))).toEqual([
    expect.stringMatching(/^endpoints\[0\]\.deprecatedTopology: Invalid value: "a b"/),
  ]);
});

describe('ports of an endpoint slice in a table', () => {
  it.each([
    ['none', [], '<unset>'],
    ['one without name and number', [{}], '<unset>'],
    ['a name or a number', [{ name: 'a' }, { name: 'b', port: 80 }], 'a,80'],
    ['four', [{}, { name: 'a' }, { name: 'b' }, { name: 'c' }], ',a,b + 1 more...'],
  ])('are %s', async (_, ports, text) => {
    const resource = new InMemoryResource(endpointSlices(kubernetesVocabulary));
    const slice = { metadata: { name: 'a' }, addressType: 'IPv4', endpoints: [], ports };
    expect(resource.cells(await resource.create(slice))[2]).toBe(text);
  });
});

describe('addresses of an endpoint slice', () => {
  const causes = (addressType: string, address: string): Promise<readonly string[]> => {
    const resource = new InMemoryResource(endpointSlices(kubernetesVocabulary));
    const endpoints = [{ addresses: [address] }];
    return causesOf(resource.create({ metadata: { name: 'a' }, addressType, endpoints }));
  };
  const at = 'endpoints[0].addresses[0]: Invalid value: ';

  it('are IPv4 in the form of IPv6, too', async () => {
    await expect(causes('IPv4', '::ffff:10.1.2.3')).rejects.toThrow('nothing was refused');
    expect(await causes('IPv6', '::ffff:10.1.2.3')).toEqual([
      `${at}"::ffff:10.1.2.3": must be a valid IPv6 address`,
    ]);
  });

  it.each([
    ['::ffff:0.0.0.0', 'may not be unspecified (::ffff:0.0.0.0)'],
    ['::ffff:127.0.0.1', 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    ['::ffff:169.254.1.1', 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
    ['::ffff:224.0.0.1', 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
  ])('are of other hosts: %s', async (address, why) => {
    expect(await causes('IPv4', address)).toEqual([`${at}"${address}": ${why}`]);
  });
});
