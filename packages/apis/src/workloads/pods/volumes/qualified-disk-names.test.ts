import { describe, expect, it } from 'vitest';
import { qualifiedErrors } from './qualified-disk-names.ts';

const errorsOf = (name: string): readonly string[] =>
  qualifiedErrors(name, ' starting with iqn, eui, or naa', 'p').map(({ message }) => message);

describe('names of disks', () => {
  it.each([
    'iqn.2015-02.example.com:test',
    'iqn.2015-02.example.com:a:b',
    'iqn.2015-02.example.com::',
    'iqnX iqn.2015-02.example.com:test',
    'iqn.2015-02.example.com:a\u00a0b',
    'eui.1234567890123456',
    'eui😀1234567890123456',
    'naa.12345678901234567890123456789012',
  ])('may be %s', (name) => {
    expect(errorsOf(name)).toEqual([]);
  });

  it.each([
    'iqn',
    'iqn.2015-02.example.com',
    'iqn.2015-02.example.com:',
    'iqn.2015-02.:a',
    'iqn.2015-02.example.com:a,b',
    'iqn.2015-02.example com:a',
    'eui.123',
    'eui\n1234567890123456',
    'naa.1234567890123456',
  ])('may not be %j', (name) => {
    expect(errorsOf(name)).toEqual([expect.stringContaining('must be valid format')]);
  });

  it('are read once', () => {
    expect(errorsOf(`iqn.2015-02.a!`.repeat(100_000))).toHaveLength(1);
    expect(errorsOf(`iqn.2015-02.a`.repeat(100_000))).toHaveLength(1);
  });
});
