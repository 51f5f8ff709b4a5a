import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCheck } from './string-formats.ts';

const FORMATS: Readonly<Record<string, readonly [good: string[], bad: string[]]>> = {
  bsonobjectid: [['507f1f77bcf86cd799439011'], ['507f1f77', '']],
  uri: [
    ['http://a.b/c?d', '/path', 'mailto:a', 'x:y', '*', 'http://[::1]:80/'],
    ['', 'a', ':x', 'http://a b', '//a/%zz', 'http://a:x/'],
  ],
  email: [
    ['a@b', 'a.b@c.d', 'A <a@b.c>', '"q w"@c.d', '"Q" <a@[127.0.0.1]>', 'a@b (note)'],
    ['', 'a', 'a@', '@b', 'a..b@c', 'a@b.', 'A <a@b', 'a@b, c@d'],
  ],
  hostname: [
    ['a', 'a-b.example.com', '1a.de'],
    ['', '-a', 'a..b', 'a_b', `${'a'.repeat(64)}.com`],
  ],
  ipv4: [
    ['1.2.3.4', '01.2.3.4'],
    ['1.2.3', '::1', 'x'],
  ],
  ipv6: [
    ['::1', '::ffff:1.2.3.4'],
    ['1.2.3.4', ':::', 'x'],
  ],
  cidr: [
    ['1.2.3.0/24', '::/0'],
    ['1.2.3.4', '1.2.3.4/33'],
  ],
  mac: [
    ['00:11:22:aa:BB:cc', '0011.22aa.bbcc', '00-11-22-33-44-55-66-77'],
    ['00:11:22', '00:11-22:33:44:55', 'x'],
  ],
  uuid: [
    ['a6fbc1b2-7bed-1234-8f00-0123456789AB', 'a6fbc1b27bed12348f000123456789ab'],
    ['x', ''],
  ],
  uuid3: [['a6fbc1b2-7bed-3234-8f00-0123456789ab'], ['a6fbc1b2-7bed-1234-8f00-0123456789ab']],
  uuid4: [['a6fbc1b2-7bed-4234-8f00-0123456789ab'], ['a6fbc1b2-7bed-4234-7f00-0123456789ab']],
  uuid5: [['a6fbc1b2-7bed-5234-bf00-0123456789ab'], ['a6fbc1b2-7bed-4234-8f00-0123456789ab']],
  isbn: [
    ['0321751043', '978-0321751041'],
    ['0321751044', '1'],
  ],
  isbn10: [['0321751043', '0-8044-2957-X'], ['9780321751041']],
  isbn13: [['9780321751041'], ['0321751043', '9780321751042']],
  creditcard: [['4111 1111 1111 1111'], ['4111111111111112', '1']],
  ssn: [
    ['111-22-3333', '111 22 3333'],
    ['111223333', '1'],
  ],
  hexcolor: [
    ['#fff', 'FFFFFF'],
    ['#ffff', 'red'],
  ],
  rgbcolor: [
    ['rgb(255,0,1)', 'rgb( 1 , 2 , 3 )'],
    ['rgb(256,0,0)', 'rgb(01,0,0)'],
  ],
  byte: [
    ['YQ==', 'YWJj'],
    ['', 'YQ', 'Y Q='],
  ],
  password: [['', 'x'], []],
  date: [['2024-02-29'], ['2023-02-29', '', '2024-1-1']],
  duration: [
    ['1h30m', '-1.5s', '3 days', 'P1D', '2 weeks'],
    ['', '1', 'x'],
  ],
  'date-time': [
    ['2024-01-02T03:04:05Z', '2024-01-02t03:04:05.5+02:00'],
    ['2024-01-02T03:04:05', '2024-01-02 03:04:05Z', '2024-01-02T24:00:00Z'],
  ],
};

describe('formats', () => {
  it.each(Object.entries(FORMATS))('%s', (format, [good, bad]) => {
    const check = formatCheck(format);
    expect(good.filter((text) => !check?.(text))).toEqual([]);
    expect(bad.filter((text) => check?.(text))).toEqual([]);
  });
  it('ignores unknown formats', () => {
    expect(formatCheck('int32')).toBeUndefined();
  });
  it('accepts any text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(FORMATS)), fc.string({ unit: 'binary' }), (format, text) => {
        expect(typeof formatCheck(format)?.(text)).toBe('boolean');
      }),
    );
  });
  it('handles long texts of one kind of character', () => {
    for (const format of Object.keys(FORMATS)) {
      for (const character of ['a', '.', '(', '"', '@', ':', '0', ' ', 'a.', 'a@', '\\']) {
        expect(typeof formatCheck(format)?.(character.repeat(20_000))).toBe('boolean');
      }
    }
  });
});
