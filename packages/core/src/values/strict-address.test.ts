import { describe, expect, it } from 'vitest';
import { parseStrictAddress, parseStrictPrefix, strictAddressText } from './strict-address.ts';

function canonical(text: string): string {
  const address = parseStrictAddress(text);
  return typeof address === 'string' ? address : strictAddressText(address);
}

describe('a strict address', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['::ffff:102:304', '::ffff:1.2.3.4'],
    ['fe80::01%eth0', 'fe80::1%eth0'],
    ['01.2.3.4', 'ParseAddr("01.2.3.4"): IPv4 field has octet with leading zero'],
    ['a\0', 'ParseAddr("a\\x00"): unable to parse IP'],
    ['1.2.3', 'ParseAddr("1.2.3"): IPv4 address too short'],
    ['256.1.1.1', 'ParseAddr("256.1.1.1"): IPv4 field has value >255'],
    ['a.example/x', 'ParseAddr("a.example/x"): unexpected character (at "a.example/x")'],
    ['a', 'ParseAddr("a"): unable to parse IP'],
    ['%x', 'ParseAddr("%x"): missing IPv6 address'],
    ['1::2::3', 'ParseAddr("1::2::3"): multiple :: in address (at ":3")'],
  ])('%s is %s', (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  it.each([
    ['10.0.0.0/8', 8],
    ['10.0.0.0/08', 'netip.ParsePrefix("10.0.0.0/08"): bad bits after slash: "08"'],
    ['10.0.0.0', `netip.ParsePrefix("10.0.0.0"): no '/'`],
    ['10.0.0.0/33', 'netip.ParsePrefix("10.0.0.0/33"): prefix length out of range'],
    ['fe80::1%x/8', 'netip.ParsePrefix("fe80::1%x/8"): IPv6 zones cannot be present in a prefix'],
  ])('has a prefix: %s', (text, expected) => {
    const prefix = parseStrictPrefix(text);
    expect(typeof prefix === 'string' ? prefix : prefix.bits).toBe(expected);
  });
});
