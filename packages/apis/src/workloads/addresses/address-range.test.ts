import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressRange, canonicalIpText, ipFamilyOf, ipFamilyOfCidr } from './address-range.ts';

const rangeOf = (text: string): AddressRange => AddressRange.parse(text) as AddressRange;

describe('AddressRange', () => {
  it.each([
    ['10.0.0.0/24', '10.0.0.0/24', 254, '10.0.0.1', '10.0.0.254'],
    ['10.99.7.77/12', '10.96.0.0/12', 1_048_574, '10.96.0.1', '10.111.255.254'],
    ['192.168.3.128/29', '192.168.3.128/29', 6, '192.168.3.129', '192.168.3.134'],
    ['fd00::/108', 'fd00::/108', 65_535, 'fd00::1', 'fd00::ffff'],
    ['fd00:1:2:3::/120', 'fd00:1:2:3::/120', 255, 'fd00:1:2:3::1', 'fd00:1:2:3::ff'],
  ])('%s', (text, canonical, size, first, last) => {
    const range = rangeOf(text);
    expect([range.text, range.size, range.at(0), range.at(size - 1)]).toEqual([canonical, size, first, last]);
  });

  it.each(['10.0.0.0', 'x/8', ''])('is not %j', (text) => expect(AddressRange.parse(text)).toBeUndefined());

  it('gives away neither the network nor the broadcast address, nor those of others', () => {
    const range = rangeOf('10.0.1.0/24');
    for (const ip of [
      '10.0.1.0',
      '10.0.1.255',
      '10.0.0.255',
      '10.0.2.0',
      '0.0.0.0',
      '255.255.255.255',
      '::1',
      'x',
    ])
      expect(range.indexOf(ip)).toBeUndefined();
    expect(range.indexOf('::ffff:10.0.1.3')).toBe(2);
    expect(rangeOf('fd00::/108').indexOf('fd00::1:0')).toBeUndefined();
    expect(rangeOf('fd00::/108').indexOf('ffff::1')).toBeUndefined();
  });

  it('numbers its addresses', () => {
    const ranges = fc
      .constantFrom('10.0.0.0/24', '10.96.0.0/12', 'fd00::/108', '172.16.255.0/20')
      .map(rangeOf);
    fc.assert(
      fc.property(ranges, fc.nat(), (range, any) => {
        const index = any % range.size;
        expect(range.indexOf(range.at(index))).toBe(index);
        expect(ipFamilyOf(range.at(index))).toBe(range.family);
      }),
    );
  });
});

describe('ipFamilyOfCidr', () => {
  it.each([
    ['10.0.0.0/8', 'IPv4'],
    ['fd00::/8', 'IPv6'],
    ['::ffff:10.9.8.7/120', 'IPv4'],
    ['::ffff:10.9.8.7/24', 'IPv6'],
    ['10.0.0.0', undefined],
  ])('of %s is %s', (text, family) => expect(ipFamilyOfCidr(text)).toBe(family));
});

describe('canonicalIpText', () => {
  it.each([
    ['010.0.0.1', '10.0.0.1'],
    ['FD00:0:0::1', 'fd00::1'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['1.2.3', undefined],
  ])('of %s is %s', (text, canonical) => expect(canonicalIpText(text)).toBe(canonical));
});
