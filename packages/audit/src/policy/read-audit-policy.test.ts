import { type JsonValue, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AuditPolicyError } from './audit-policy-error.ts';
import { readAuditPolicy } from './read-audit-policy.ts';

const read = (members: object, vocabulary = kubernetesVocabulary) =>
  readAuditPolicy(
    { apiVersion: `audit.${vocabulary.groupDomain}/v1`, kind: 'Policy', ...members } as JsonValue,
    vocabulary,
  );
const withRule = (rule: object) => read({ rules: [{ level: 'None', ...rule }] });

describe('audit policies', () => {
  it.each([kubernetesVocabulary, orchVocabulary])('are of the group of $name', (vocabulary) => {
    const rules = [{ level: 'Metadata', users: ['a'], resources: [{ group: '', resources: ['pods'] }] }];
    expect(read({ rules, omitStages: ['Panic'] }, vocabulary)).toEqual({
      policy: { rules, omitStages: ['Panic'] },
      warnings: [],
    });
    const other = { apiVersion: 'audit.example.com/v1', kind: 'Policy', rules };
    expect(() => readAuditPolicy(other, vocabulary)).toThrow(
      `kind "Policy" of apiVersion "audit.example.com/v1" is not Policy of audit.${vocabulary.groupDomain}/v1`,
    );
  });

  it('ignore unknown fields, and name them', () => {
    const { warnings } = read({ rules: [{ level: 'None', who: 1, resources: [{ kind: 'x' }] }], more: 2 });
    expect(warnings).toEqual([
      'unknown field "more"',
      'unknown field "rules[0].who"',
      'unknown field "rules[0].resources[0].kind"',
    ]);
  });

  it.each([
    [{ rules: [] }, 'loaded illegal policy with 0 rules'],
    [{}, 'loaded illegal policy with 0 rules'],
    [{ rules: {} }, 'rules is not a list'],
    [{ rules: [1] }, 'rules[0] is not an object'],
    [{ rules: [{}] }, 'rules[0].level: Required value'],
    [
      { rules: [{ level: 'Loud' }] },
      'rules[0].level: Unsupported value: "Loud": supported values: "None", "Metadata", "Request", "RequestResponse"',
    ],
    [
      { omitStages: ['Middle'], rules: [{ level: 'None' }] },
      'omitStages[0]: Invalid value: "Middle": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
    ],
  ])('%j: %s', (members, why) => {
    expect(() => read(members)).toThrow(expect.objectContaining({ message: why }));
  });

  it.each([
    [{ users: 'a' }, 'rules[0].users is not a list'],
    [{ users: [1] }, 'rules[0].users[0] is not a text'],
    [{ omitManagedFields: 'yes' }, 'rules[0].omitManagedFields is not true or false'],
    [
      { nonResourceURLs: ['/a'], namespaces: [''] },
      'rules[0].nonResourceURLs: Invalid value: []string{"/a"}: rules cannot apply to both regular resources and non-resource URLs',
    ],
    [
      { nonResourceURLs: ['a*b'] },
      'rules[0].nonResourceURLs[0]: Invalid value: "a*b": non-resource URL rules must begin with a \'/\' character, rules[0].nonResourceURLs[0]: Invalid value: "a*b": non-resource URL wildcards \'*\' must be the final character of the rule',
    ],
    [
      { resources: [{ resourceNames: ['a'] }] },
      'rules[0].resources.resourceNames: Invalid value: []string{"a"}: using resourceNames requires at least one resource',
    ],
  ])('a rule %j: %s', (rule, why) => {
    expect(() => withRule(rule)).toThrow(expect.objectContaining({ message: why }));
  });

  it.each(['*', 'apps/v1'])('a rule cannot be for the group %s', (group) => {
    expect(() => withRule({ resources: [{ group }] })).toThrow(
      `rules[0].resources.group: Invalid value: "${group}": a lowercase RFC 1123 subdomain must consist of`,
    );
  });

  it('are read or refused, whatever they contain', () => {
    const text = fc.constantFrom('', 'None', 'Request', 'Panic', '/a*', 'pods/*', '*', 'a.b');
    const value = fc.oneof(text, fc.array(text), fc.jsonValue()) as fc.Arbitrary<JsonValue>;
    const named = (...names: readonly string[]) => fc.dictionary(fc.constantFrom(...names), value);
    const rule = named(
      'level',
      'users',
      'verbs',
      'resources',
      'namespaces',
      'nonResourceURLs',
      'omitStages',
      'x',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(rule, value)),
        named('omitStages', 'omitManagedFields', 'x'),
        (rules, rest) => {
          try {
            expect(read({ ...rest, rules }).policy.rules).toHaveLength(rules.length);
          } catch (error) {
            expect(AuditPolicyError.is(error)).toBe(true);
          }
        },
      ),
    );
  });
});
