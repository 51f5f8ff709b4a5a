import { describe, expect, it } from 'vitest';
import { advertisedAddressOf } from './advertised-address.ts';

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
