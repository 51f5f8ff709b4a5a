import type { Steps } from '@ashlar/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RuleTexts, ruleCoversSteps } from './large-rules.ts';
import { type PolicyRule, ruleCovers } from './policy-rule.ts';

function run(steps: Steps<boolean>): { readonly pauses: number; readonly covers: boolean } {
  for (let pauses = 0; ; pauses++) {
    const next = steps.next();
    if (next.done) return { pauses, covers: next.value };
  }
}

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `n${i}`);

describe('large rules', () => {
  it.each(['verbs', 'apiGroups', 'resources', 'resourceNames'] as const)(
    'of %s are compared in linear time',
    (list) => {
      const whole = { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] };
      let searched = 0;
      const owned = names(20_000);
      owned.includes = () => {
        searched++;
        return false;
      };
      const owner = { ...whole, [list]: owned };
      const texts = new RuleTexts();
      const compared = run(ruleCoversSteps(owner, { ...whole, [list]: names(20_000) }, texts));
      expect(compared.covers).toBe(true);
      expect(compared.pauses).toBeGreaterThan(7);
      expect(run(ruleCoversSteps(owner, { ...whole, [list]: names(20_001) }, texts)).covers).toBe(false);
      expect(searched).toBe(0);
    },
  );

  it('of paths are compared with pauses', () => {
    const paths = (count: number): string[] => names(count).map((name) => `/${name}`);
    const owner = { verbs: ['get'], nonResourceURLs: [...paths(1_000), '/other/*'] };
    const texts = new RuleTexts();
    const compared = run(ruleCoversSteps(owner, { verbs: ['get'], nonResourceURLs: paths(1_000) }, texts));
    expect(compared.covers).toBe(true);
    expect(compared.pauses).toBeGreaterThan(50);
    const more = { verbs: ['get'], nonResourceURLs: [...paths(1_000), '/other/a', '/n'] };
    expect(run(ruleCoversSteps(owner, more, texts)).covers).toBe(false);
  });

  it('cover what they cover without pauses', () => {
    const text = fc.constantFrom('*', 'a', 'b', 'a/x', '*/x', '/a', '/a*');
    const list = fc.option(
      fc
        .tuple(fc.array(text, { maxLength: 4 }), fc.constantFrom(1, 3_000))
        .map(([texts, times]) => Array.from({ length: times }, () => texts).flat()),
      { nil: undefined },
    );
    const rule: fc.Arbitrary<PolicyRule> = fc.record({
      verbs: list,
      apiGroups: list,
      resources: list,
      resourceNames: list,
      nonResourceURLs: fc.option(fc.array(text, { maxLength: 4 }), { nil: undefined }),
    }) as fc.Arbitrary<PolicyRule>;
    fc.assert(
      fc.property(rule, rule, (owner, servant) => {
        expect(run(ruleCoversSteps(owner, servant, new RuleTexts())).covers).toBe(ruleCovers(owner, servant));
      }),
    );
  });
});
