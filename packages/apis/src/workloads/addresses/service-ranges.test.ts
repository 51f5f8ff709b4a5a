import { describe, expect, it } from 'vitest';
import {
  clusterIpRanges,
  firstServiceAddress,
  nodePortRange,
  serviceNetworkFault,
} from './service-ranges.ts';

describe('ranges of services', () => {
  it('have defaults', () => {
    expect([...clusterIpRanges({}).values()]).toMatchObject([
      { text: '10.0.0.0/24', size: 254, reserved: 16 },
    ]);
    expect(nodePortRange({})).toMatchObject({ text: '30000-32767', size: 2768, reserved: 86, first: 30_000 });
    expect(firstServiceAddress({})).toBe('10.0.0.1');
  });

  it.each([
    ['10.0.0.0/28', 0],
    ['10.0.0.0/27', 16],
    ['10.0.0.0/22', 64],
    ['10.96.0.0/12', 256],
    ['fd00::/108', 256],
  ])('reserve of %s the first %i', (range, reserved) => {
    const [first] = clusterIpRanges({ clusterIpRanges: [range] }).values();
    expect(first?.reserved).toBe(reserved);
  });

  it.each([
    ['30000-30010', '30000-30010'],
    ['30000+10', '30000-30010'],
    ['30000', '30000-30000'],
  ])('of ports: %s', (text, canonical) => {
    expect(nodePortRange({ nodePortRange: text }).text).toBe(canonical);
  });

  it.each([
    [{ clusterIpRanges: ['10.0.0.0'] }, '10.0.0.0 is not a CIDR'],
    [{ clusterIpRanges: ['10.0.0.0/11'] }, '10.0.0.0/11 has more than 2^20 addresses'],
    [{ clusterIpRanges: ['fd00::/64'] }, 'fd00::/64 has more than 2^20 addresses'],
    [{ clusterIpRanges: ['10.0.0.0/30'] }, '10.0.0.0/30 has less than 8 addresses'],
    [
      { clusterIpRanges: ['10.0.0.0/24', '10.0.1.0/24'] },
      'two ranges of cluster IPs must be of different IP families',
    ],
    [
      { clusterIpRanges: ['10.0.0.0/24', 'fd00::/108', '10.0.1.0/24'] },
      'there are at most two ranges of cluster IPs',
    ],
    [{ nodePortRange: '300-200' }, '300-200 is not a range of ports'],
    [{ nodePortRange: '0-100' }, '0-100 is not a range of ports'],
    [{ nodePortRange: '65000-70000' }, '65000-70000 is not a range of ports'],
    [{ clusterIpRanges: ['fd00::/108', '10.0.0.0/16'], nodePortRange: '1000-2000' }, undefined],
  ])('%j: %s', (network, fault) => expect(serviceNetworkFault(network)).toBe(fault));
});
