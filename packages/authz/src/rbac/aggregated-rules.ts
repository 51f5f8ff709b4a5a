import {
  type JsonValue,
  jsonEqual,
  type LabelSelectorObject,
  runAtOnce,
  type Steps,
  toLabelSelector,
} from '@ashlar/core';
import type { PolicyRule } from './policy-rule.ts';
import type { Role } from './rbac-objects.ts';

/** A role with aggregated rules. */
export interface AggregatedRole extends Role {
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelectorObject[] };
}

/**
 * The rules that a role aggregates: by selector those of all matching roles, by name, without duplicates
 * (semantics/access#rbac). Undefined if it aggregates none or has them already.
 */
export function aggregatedRules(
  role: AggregatedRole,
  all: readonly Role[],
): readonly PolicyRule[] | undefined {
  return runAtOnce(aggregationSteps(role, all));
}

/** The same in steps: selectors, roles and rules may be thousands. */
export function* aggregationSteps(
  role: AggregatedRole,
  all: readonly Role[],
): Steps<readonly PolicyRule[] | undefined> {
  const selectors = role.aggregationRule?.clusterRoleSelectors;
  if (!selectors) return undefined;
  const others = all
    .filter(({ metadata }) => metadata.name !== role.metadata.name)
    .sort((a, b) => compare(a.metadata.name ?? '', b.metadata.name ?? ''));
  // a rule is where it was found first
  const rules = new Map<string, PolicyRule>();
  const aggregated = new Set<Role>();
  for (const each of selectors) {
    const selector = toLabelSelector(each);
    for (const source of others) {
      if (aggregated.has(source) || !selector.matches(source.metadata.labels ?? {})) continue;
      aggregated.add(source);
      yield* addRules(rules, source.rules ?? []);
    }
    yield;
  }
  const found = [...rules.values()];
  return same(found, role.rules ?? []) ? undefined : found;
}

function* addRules(into: Map<string, PolicyRule>, rules: readonly PolicyRule[]): Steps<void> {
  for (const [i, rule] of rules.entries()) {
    const key = keyOf(rule);
    if (!into.has(key)) into.set(key, rule);
    if (i % 256 === 255) yield;
  }
}

/** Equal for equal rules, whatever the order of their members. */
const keyOf = (rule: PolicyRule): string =>
  JSON.stringify(Object.entries(rule).sort(([a], [b]) => compare(a, b)));

const same = (a: unknown, b: unknown): boolean => jsonEqual(a as JsonValue, b as JsonValue);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
