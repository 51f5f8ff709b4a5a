import { isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCidr, parseIpAddress } from './ip-address.ts';

describe('parseIpAddress', () => {
  it.each([
    ['10.9.8.7', [10, 9, 8, 7]],
    ['010.009.008.007', [10, 9, 8, 7]],
    ['::', new Array(16).fill(0)],
    ['::1', [...new Array(15).fill(0), 1]],
    ['2001:db8::ffff:1.2.3.4', [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 1, 2, 3, 4]],
    ['1:2:3:4:5:6:7:8', [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]],
    ['1:2:3:4:5:6:7::', [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 0]],
  ])('parses %s', (text, bytes) => {
    expect([...(parseIpAddress(text) ?? [])]).toEqual(bytes);
  });

  it.each([
    '',
    '1',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '1.2.3.',
    '1.2.3.4 ',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '1:2:3:4:5:6:7',
    'fe80::1%eth0',
    '12345::',
    '1.2.3.4::',
    '::1.2.3',
    '::g',
  ])('rejects %j', (text) => {
    expect(parseIpAddress(text)).toBeUndefined();
  });

  it('parses what other implementations print', () => {
    fc.assert(fc.property(fc.ipV4(), (text) => parseIpAddress(text)?.length === 4 && isIPv4(text)));
    fc.assert(fc.property(fc.ipV6(), (text) => parseIpAddress(text)?.length === 16 && isIPv6(text)));
  });

  it('parses nothing else', () => {
    const text = fc.string({ unit: fc.constantFrom('0', '1', 'f', ':', '::', '.', '255') });
    fc.assert(
      fc.property(text, (candidate) => {
        const withoutZeros = candidate.replace(/(^|[.:])0+(?=[0-9a-f])/g, '$1');
        expect(parseIpAddress(candidate) !== undefined).toBe(isIPv4(withoutZeros) || isIPv6(withoutZeros));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('parseCidr', () => {
  it('parses address and length', () => {
    expect(parseCidr('10.9.8.0/24')).toEqual({ address: Uint8Array.of(10, 9, 8, 0), prefixLength: 24 });
    expect(parseCidr('::/0')?.prefixLength).toBe(0);
    expect(parseCidr('::/128')?.prefixLength).toBe(128);
  });

  it.each([
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '/8',
    '10.0.0.0/9999999999',
  ])('rejects %j', (text) => {
    expect(parseCidr(text)).toBeUndefined();
  });
});
