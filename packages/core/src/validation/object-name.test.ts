import { describe, expect, it } from 'vitest';
import {
  validateDns1035Label,
  validateDnsLabel,
  validateDnsSubdomain,
  validatePathSegment,
} from './object-name.ts';

describe('names of objects', () => {
  it('differ from kind to kind', () => {
    expect(validateDnsSubdomain('a.b', false)).toEqual([]);
    expect(validateDnsLabel('a.b', false)).toEqual(['must not contain dots']);
    expect(validateDns1035Label('1a', false)).toHaveLength(1);
    expect(validatePathSegment('system:a', false)).toEqual([]);
    expect(validatePathSegment('.', false)).toEqual(["may not be '.'"]);
  });

  it('may end with a dash if something follows', () => {
    expect(validateDnsSubdomain('job-', false)).toHaveLength(1);
    expect(validateDnsSubdomain('job-', true)).toEqual([]);
    expect(validateDnsSubdomain('-', true)).toHaveLength(1);
    expect(validateDnsLabel('ü-', true)).toHaveLength(1);
    expect(validatePathSegment('.', true)).toEqual([]);
  });

  it('allow a prefix the length of the name with the dash masked', () => {
    expect(validateDnsLabel(`${'a'.repeat(63)}-`, true)).toEqual([]);
    expect(validateDnsLabel(`${'a'.repeat(64)}-`, true)).toEqual(['must be no more than 63 characters']);
  });
});
