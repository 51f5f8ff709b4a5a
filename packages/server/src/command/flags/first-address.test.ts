import { describe, expect, it } from 'vitest';
import { firstAddressOf } from './first-address.ts';

describe('the first address of a range of services', () => {
  it.each([
    ['10.0.0.0/24', '10.0.0.1'],
    ['10.96.0.0/12', '10.96.0.1'],
    ['10.99.7.77/12', '10.96.0.1'],
    ['192.168.3.128/31', '192.168.3.129'],
    ['fd00::/108', 'fd00::1'],
    ['fd00:1:2:3::/64', 'fd00:1:2:3::1'],
    ['10.0.0.0/32', undefined],
    ['10.0.0.0', undefined],
    ['x/8', undefined],
  ])('of %s is %s', (range, first) => {
    expect(firstAddressOf(range)).toBe(first);
  });
});
