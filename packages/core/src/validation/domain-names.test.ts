import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../errors/field-error.ts';
import {
  validateCidr,
  validateDomainPrefixedPath,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
  validateIpAddress,
} from './domain-names.ts';

describe('domain names', () => {
  it.each([
    [
      validateIpAddress,
      '1.2.3',
      'f: Invalid value: "1.2.3": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
    [
      validateCidr,
      '1.2.3.4',
      'f: Invalid value: "1.2.3.4": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
    [validateFullyQualifiedName, '', 'f: Required value'],
    [
      validateFullyQualifiedName,
      'a.b',
      'f: Invalid value: "a.b": should be a domain with at least three segments separated by dots',
    ],
    [validateFullyQualifiedDomainName, '', 'f: Required value'],
    [
      validateFullyQualifiedDomainName,
      'a.',
      'f: Invalid value: "a": should be a domain with at least two segments separated by dots',
    ],
    [
      validateFullyQualifiedDomainName,
      `a.${'b'.repeat(64)}`,
      `f: Invalid value: "${'b'.repeat(64)}": must be no more than 63 characters`,
    ],
    [validateDomainPrefixedPath, '', 'f: Required value'],
    [
      validateDomainPrefixedPath,
      'a',
      'f: Invalid value: "a": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [
      validateDomainPrefixedPath,
      'a.io/ü',
      `f: Invalid value: "ü": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')`,
    ],
  ])('%o rejects %j', (rule, text, error) => {
    expect(rule('f', text).map(fieldErrorText)).toEqual([error]);
  });

  it('accept what is well-formed', () => {
    expect(validateIpAddress('f', '::1')).toEqual([]);
    expect(validateCidr('f', '10.0.0.0/8')).toEqual([]);
    expect(validateFullyQualifiedName('f', 'a.b.c')).toEqual([]);
    expect(validateFullyQualifiedDomainName('f', 'a.b.')).toEqual([]);
    expect(validateDomainPrefixedPath('f', 'acme.io/foo/bar')).toEqual([]);
  });
});
