import { describe, expect, it } from 'vitest';
import { AdvertisedAddress, advertisedAddressOf } from './advertised-address.ts';

describe('the advertised address', () => {
  it('is the one given, else that of the listener', () => {
    expect(advertisedAddressOf({ 'advertise-address': '192.0.2.7', 'bind-address': '192.0.2.8' })).toBe(
      '192.0.2.7',
    );
    expect(advertisedAddressOf({ 'bind-address': '192.0.2.8' })).toBe('192.0.2.8');
    expect(advertisedAddressOf({ 'bind-address': '2001:db8::1' })).toBe('2001:db8::1');
  });

  it.each(['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost', 'fe80::1', '169.254.1.1'])(
    'is none that others cannot reach: %s',
    (address) => {
      expect(advertisedAddressOf({ 'bind-address': address })).not.toBe(address);
    },
  );
});

describe('the advertised address with its port', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7:6443'],
    ['2001:db8::1', '[2001:db8::1]:6443'],
  ])('is what clients are told once the listener is open: %s', (host, expected) => {
    const address = new AdvertisedAddress({ 'advertise-address': host });
    expect(address.hostAndPort).toBe('');
    address.listenAt('https://127.0.0.1:6443');
    expect(address.hostAndPort).toBe(expected);
  });
});
