import { type PolicyRule, ruleCovers } from './policy-rule.ts';

/**
 * The parts of some rules that other rules do not grant, each about one verb, group, resource and name, or
 * one path (semantics/access#rbac).
 */
export function uncoveredRules(
  owned: readonly PolicyRule[],
  requested: readonly PolicyRule[],
): readonly PolicyRule[] {
  return requested.flatMap(singleRules).filter((single) => !owned.some((rule) => ruleCovers(rule, single)));
}

function singleRules(rule: PolicyRule): readonly PolicyRule[] {
  const verbs = rule.verbs ?? [];
  const names = rule.resourceNames ?? [];
  const singles: PolicyRule[] = [];
  for (const group of rule.apiGroups ?? [])
    for (const resource of rule.resources ?? [])
      for (const verb of verbs) {
        const single = { apiGroups: [group], resources: [resource], verbs: [verb] };
        if (names.length === 0) singles.push(single);
        for (const name of names) singles.push({ ...single, resourceNames: [name] });
      }
  for (const url of rule.nonResourceURLs ?? [])
    for (const verb of verbs) singles.push({ nonResourceURLs: [url], verbs: [verb] });
  return singles;
}

/**
 * The same permissions in fewer rules: those about the same single resource, and at most one name, share
 * their verbs.
 */
export function compactRules(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const compacted: PolicyRule[] = [];
  const simple = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const key = resourceOf(rule);
    if (key === undefined) compacted.push(rule);
    else {
      const existing = simple.get(key);
      simple.set(
        key,
        existing ? { ...existing, verbs: [...(existing.verbs ?? []), ...(rule.verbs ?? [])] } : rule,
      );
    }
  }
  return [...compacted, ...simple.values()];
}

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
