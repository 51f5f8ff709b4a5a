import { runAtOnce } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AdmissionRule, admissionRuleMatches, type RuleTarget } from '../admission-rule.ts';
import { rulesOfResourceSteps } from './rules-of-resource.ts';

const words = (...texts: readonly string[]) => fc.array(fc.constantFrom(...texts), { maxLength: 4 });

describe('the rules of a resource', () => {
  it('match what all rules match', () => {
    const rules = fc.array(
      fc.record<AdmissionRule>(
        {
          operations: words('CREATE', 'DELETE', '*'),
          apiGroups: fc.option(words('', 'apps', '*')),
          apiVersions: words('v1', '*'),
          resources: fc.option(
            words('pods', 'pods/status', 'pods/*', '*', '*/*', '*/status', 'pod', 'podsa/b', 'po/s'),
          ),
        },
        { requiredKeys: [] },
      ),
    );
    const targets = fc.record<RuleTarget>({
      operation: fc.constantFrom('CREATE', 'DELETE'),
      resource: fc.record({
        group: fc.constantFrom('', 'apps', 'other'),
        version: fc.constantFrom('v1', 'v2'),
        resource: fc.constantFrom('pods', 'pod', 'po'),
      }),
      subresource: fc.constantFrom('', 'status', 's'),
      namespace: fc.constantFrom('', 'n'),
    });
    fc.assert(
      fc.property(rules, targets, (all, target) => {
        const isMatched = (some: readonly AdmissionRule[]) =>
          some.some((rule) => admissionRuleMatches(rule, target));
        expect(isMatched(runAtOnce(rulesOfResourceSteps(all, target.resource)))).toBe(isMatched(all));
      }),
    );
  });

  it('have no pattern of others, and are the same where they had none', () => {
    const own = { apiGroups: ['apps'], resources: ['pages', '*/status'] };
    const mixed = { apiGroups: ['', 'apps', 'b'], resources: ['pages', 'pods', 'pages/status'], scope: '*' };
    const found = runAtOnce(
      rulesOfResourceSteps([own, { ...own, apiGroups: [''] }, mixed], { group: 'apps', resource: 'pages' }),
    );
    expect(found[0]).toBe(own);
    expect(found.slice(1)).toEqual([
      { apiGroups: ['apps'], resources: ['pages', 'pages/status'], scope: '*' },
    ]);
  });

  it('are found with pauses among thousands', () => {
    const rules = Array.from({ length: 20_000 }, (_, i) => ({ apiGroups: [`g${i}`], resources: ['a'] }));
    const steps = rulesOfResourceSteps(rules, { group: 'g7', resource: 'a' });
    let pauses = 0;
    while (!steps.next().done) pauses++;
    expect(pauses).toBeGreaterThan(10);
  });
});
