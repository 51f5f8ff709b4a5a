import { describe, expect, it } from 'vitest';
import { type AdmissionRule, admissionRuleMatches, type RuleTarget } from './admission-rule.ts';

const rule = (changes: AdmissionRule = {}): AdmissionRule => ({
  ...{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] },
  ...changes,
});

const request = (changes: Partial<RuleTarget> = {}, resource = 'pods'): RuleTarget => ({
  ...{ operation: 'CREATE', resource: { group: '', version: 'v1', resource }, subresource: '' },
  ...{ namespace: 'ns', ...changes },
});

describe('an admission rule', () => {
  it('matches operations, groups, versions and resources, or all of them', () => {
    expect(admissionRuleMatches(rule(), request())).toBe(true);
    expect(admissionRuleMatches(rule(), request({ operation: 'DELETE' }))).toBe(false);
    expect(admissionRuleMatches(rule({ operations: ['*'] }), request({ operation: 'DELETE' }))).toBe(true);
    expect(admissionRuleMatches(rule({ apiGroups: ['apps'] }), request())).toBe(false);
    expect(admissionRuleMatches(rule({ apiVersions: ['v2'] }), request())).toBe(false);
    expect(admissionRuleMatches({}, request())).toBe(false);
  });

  it.each([
    ['pods', '', true],
    ['pods', 'status', false],
    ['pods/*', '', true],
    ['pods/*', 'status', true],
    ['*', 'status', false],
    ['*', '', true],
    ['*/*', 'status', true],
    ['*/status', 'status', true],
    ['*/status', 'scale', false],
    ['deployments/status', 'status', false],
  ])('with resources %j matches a request for subresource %j', (pattern, subresource, matches) => {
    expect(admissionRuleMatches(rule({ resources: [pattern] }), request({ subresource }))).toBe(matches);
  });

  it('can be limited to namespaced or cluster-scoped objects; a namespace is cluster-scoped', () => {
    const all = { resources: ['*'] };
    const matches = (scope: string, target: RuleTarget) =>
      admissionRuleMatches(rule({ ...all, scope }), target);
    expect(matches('Namespaced', request())).toBe(true);
    expect(matches('Cluster', request())).toBe(false);
    expect(matches('Namespaced', request({ namespace: '' }, 'nodes'))).toBe(false);
    expect(matches('Cluster', request({ namespace: '' }, 'nodes'))).toBe(true);
    expect(matches('Namespaced', request({}, 'namespaces'))).toBe(false);
    expect(matches('Cluster', request({}, 'namespaces'))).toBe(true);
    expect(matches('*', request())).toBe(true);
  });
});
