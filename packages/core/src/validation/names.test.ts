import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cIdentifierErrors,
  configMapKeyErrors,
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  dns1123SubdomainWithUnderscoreErrors,
  environmentVariableNameErrors,
  httpHeaderNameErrors,
  labelValueErrors,
  type NameRule,
  pathSegmentErrors,
  pathSegmentPrefixErrors,
  percentErrors,
  portNameErrors,
  qualifiedNameErrors,
  wildcardDns1123SubdomainErrors,
} from './names.ts';

const rules: Readonly<Record<string, NameRule>> = {
  cIdentifierErrors,
  configMapKeyErrors,
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  dns1123SubdomainWithUnderscoreErrors,
  environmentVariableNameErrors,
  httpHeaderNameErrors,
  labelValueErrors,
  pathSegmentErrors,
  pathSegmentPrefixErrors,
  percentErrors,
  portNameErrors,
  qualifiedNameErrors,
  wildcardDns1123SubdomainErrors,
};

describe('validation of names', () => {
  it.each([
    ['cIdentifierErrors', ['a', '_A1'], ['', '1a', 'a-b']],
    ['configMapKeyErrors', ['a.b-C_1', '.a'], ['', 'a/b', '.', '..', '..a', 'x'.repeat(254)]],
    ['dns1035LabelErrors', ['a', 'a-1'], ['', '1a', 'a-', 'A', 'x'.repeat(64)]],
    ['dns1123LabelErrors', ['a', '1-a', 'x'.repeat(63)], ['', '-a', 'a.b', 'A', 'ü', 'a\n', 'x'.repeat(64)]],
    ['dns1123SubdomainErrors', ['a', 'a.b-c.1'], ['', 'a..b', '.a', 'a.', 'a_b', 'x'.repeat(254)]],
    ['dns1123SubdomainWithUnderscoreErrors', ['_a.b_c'], ['', '__a', 'a_.b']],
    ['environmentVariableNameErrors', ['A_B', '.x', '-'], ['', '1a', '.', '..', '..a', 'a=b']],
    ['httpHeaderNameErrors', ['X-Header-1'], ['', 'a_b', 'a b']],
    ['labelValueErrors', ['', 'a', 'A_b.c-1'], ['-a', 'a-', 'a b', 'x'.repeat(64)]],
    ['pathSegmentErrors', ['', 'a b', '...', 'ü'], ['.', '..', 'a/b', '50%']],
    ['pathSegmentPrefixErrors', ['', '.', '..'], ['a/b', '%']],
    ['percentErrors', ['0%', '150%'], ['', '1', '-1%', '1.5%']],
    ['portNameErrors', ['http', '8-a'], ['', '80', 'a--b', '-a', 'a-', 'A', 'x'.repeat(16)]],
    [
      'qualifiedNameErrors',
      ['a', 'x.io/A_b', 'A.b-c'],
      ['', '/a', 'a/', 'A/b', 'a/b/c', '-a', 'x'.repeat(64)],
    ],
    ['wildcardDns1123SubdomainErrors', ['*.a', '*.a.b'], ['', '*', '*.', 'a.b', '*.*.a']],
  ])('%s', (name, good, bad) => {
    const rule = rules[name] as NameRule;
    for (const text of good) expect(rule(text), text).toEqual([]);
    for (const text of bad) expect(rule(text), text).not.toEqual([]);
  });

  it('returns the recorded texts', () => {
    expect(dns1123LabelErrors('a.b')).toEqual(['must not contain dots']);
    expect(dns1123LabelErrors('A')).toEqual([
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ]);
    expect(dns1123SubdomainErrors('x'.repeat(254))).toEqual(['must be no more than 253 characters']);
    expect(dns1123SubdomainErrors('A')).toEqual([
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ]);
    expect(qualifiedNameErrors('/')).toEqual([
      'prefix part must be non-empty',
      'name part must be non-empty',
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ]);
    expect(pathSegmentErrors('a/%')).toEqual(["may not contain '/'", "may not contain '%'"]);
    expect(pathSegmentErrors('..')).toEqual(["may not be '..'"]);
  });

  it('accepts the subdomains that match the published pattern', () => {
    const received = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
    const text = fc.string({ unit: fc.constantFrom('a', '0', '-', '.', 'A', '\n'), maxLength: 8 });
    fc.assert(
      fc.property(text, (name) => (dns1123SubdomainErrors(name).length === 0) === received.test(name)),
      {
        numRuns: 1000,
      },
    );
  });

  it('checks the parts of names with a subdomain prefix', () => {
    const part = fc.string({ unit: fc.constantFrom('a', '-', '.', '_', 'A'), maxLength: 6 });
    const long = fc.nat(300).map((length) => 'a'.repeat(length));
    const either = fc.oneof(part, long);
    fc.assert(
      fc.property(either, either, (prefix, name) => {
        const isFine = dns1123SubdomainErrors(prefix).length + qualifiedNameErrors(name).length === 0;
        return (qualifiedNameErrors(`${prefix}/${name}`).length === 0) === isFine;
      }),
    );
  });

  it('measure bytes', () => {
    expect(labelValueErrors('ü'.repeat(32))).toContain('must be no more than 63 characters');
    expect(labelValueErrors('ü'.repeat(31))).not.toContain('must be no more than 63 characters');
  });

  it('take time in proportion to the text', () => {
    const long = `${'a.'.repeat(50_000)}-`;
    for (const rule of Object.values(rules)) expect(rule(long)).toEqual(rule(long));
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) =>
        Object.values(rules).every((rule) => rule(text).every((error) => error !== '')),
      ),
    );
  });

  it('finds in a subdomain what its pattern says', () => {
    const pattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
    const letters = fc.constantFrom('a', '0', '-', '.', 'z', '9', 'A', '_', 'ä', '');
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        expect(dns1123SubdomainErrors(text)).toHaveLength(pattern.test(text) ? 0 : 1);
      }),
    );
  });
});
