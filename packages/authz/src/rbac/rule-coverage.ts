import { runAtOnce, type Steps } from '@ashlar/core';
import { ComparisonBudget } from './comparison-budget.ts';
import { RuleTexts, ruleCoversSteps } from './large-rules.ts';
import { type PolicyRule, ruleCovers } from './policy-rule.ts';

/**
 * The parts of some rules that other rules do not grant, each about one verb, group, resource and name, or
 * one path (semantics/access#rbac). For rules that are trusted to be few.
 */
export function uncoveredRules(
  owned: readonly PolicyRule[],
  requested: readonly PolicyRule[],
): readonly PolicyRule[] {
  return runAtOnce(uncoveredSteps([owned], requested, ComparisonBudget.unlimited()));
}

/**
 * The same in steps, within a budget: rules describe as many permissions as the product of their members. An
 * incomplete list if the budget is spent.
 * @param owned rules of several roles
 */
export function* uncoveredSteps(
  owned: readonly (readonly PolicyRule[])[],
  requested: readonly PolicyRule[],
  budget: ComparisonBudget,
): Steps<readonly PolicyRule[]> {
  const missing: PolicyRule[] = [];
  const texts = new RuleTexts();
  for (const rule of requested) {
    // most are covered as a whole, whatever they multiply to
    if (isOfOneForm(rule) && (yield* isCovered(owned, rule, budget, texts))) continue;
    for (const single of singleRules(rule)) {
      if (yield* isCovered(owned, single, budget, texts)) continue;
      missing.push(single);
      budget.report(single);
      if (budget.isSpent) return missing;
    }
  }
  return missing;
}

/** Whether a rule is about resources or about paths: one about both would need an owner of all of it. */
const isOfOneForm = ({ resources, nonResourceURLs }: PolicyRule): boolean =>
  !resources?.length !== !nonResourceURLs?.length;

function* isCovered(
  owned: readonly (readonly PolicyRule[])[],
  rule: PolicyRule,
  budget: ComparisonBudget,
  texts: RuleTexts,
): Steps<boolean> {
  for (const rules of owned)
    for (const owner of rules) {
      const way = budget.compare(owner, rule);
      if (budget.isSpent) return false;
      if (budget.isPauseDue()) yield;
      if (way === 'at once' && ruleCovers(owner, rule)) return true;
      if (way === 'with pauses' && (yield* ruleCoversSteps(owner, rule, texts))) return true;
    }
  return false;
}

function* singleRules(rule: PolicyRule): Generator<PolicyRule, void, undefined> {
  const verbs = rule.verbs ?? [];
  const names = rule.resourceNames ?? [];
  for (const group of rule.apiGroups ?? [])
    for (const resource of rule.resources ?? [])
      for (const verb of verbs) {
        if (names.length === 0) yield { apiGroups: [group], resources: [resource], verbs: [verb] };
        for (const name of names)
          yield { apiGroups: [group], resources: [resource], verbs: [verb], resourceNames: [name] };
      }
  for (const url of rule.nonResourceURLs ?? [])
    for (const verb of verbs) yield { nonResourceURLs: [url], verbs: [verb] };
}

/**
 * The same permissions in fewer rules: those about the same single resource, and at most one name, share
 * their verbs.
 */
export function compactRules(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const compacted: PolicyRule[] = [];
  const simple = new Map<string, Joined>();
  for (const rule of rules) {
    const key = resourceOf(rule);
    const existing = key === undefined ? undefined : simple.get(key);
    if (key === undefined) compacted.push(rule);
    else if (existing) existing.more.push(rule.verbs ?? []);
    else simple.set(key, { rule, more: [] });
  }
  return [...compacted, ...Array.from(simple.values(), withMoreVerbs)];
}

/** A rule, and the verbs of others about the same. */
interface Joined {
  readonly rule: PolicyRule;
  readonly more: (readonly string[])[];
}

const withMoreVerbs = ({ rule, more }: Joined): PolicyRule =>
  more.length === 0 ? rule : { ...rule, verbs: [...(rule.verbs ?? []), ...more.flat()] };

/** Returns the resource of a rule with exactly one resource; undefined for all other rules. */
function resourceOf({
  apiGroups,
  resources,
  resourceNames,
  nonResourceURLs,
}: PolicyRule): string | undefined {
  const names = resourceNames ?? [];
  if (names.length > 1 || (nonResourceURLs ?? []).length > 0) return undefined;
  if (apiGroups?.length !== 1 || resources?.length !== 1) return undefined;
  return JSON.stringify([apiGroups[0], resources[0], ...names]);
}
