import { type JsonValue, jsonEqual, type LabelSelectorObject, toLabelSelector } from '@ashlar/core';
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
  const selectors = role.aggregationRule?.clusterRoleSelectors?.map(toLabelSelector);
  if (!selectors) return undefined;
  const others = all
    .filter(({ metadata }) => metadata.name !== role.metadata.name)
    .sort((a, b) => compare(a.metadata.name ?? '', b.metadata.name ?? ''));
  const sources = selectors.flatMap((selector) =>
    others.filter(({ metadata }) => selector.matches(metadata.labels ?? {})),
  );
  const rules = distinct(sources.flatMap((source) => source.rules ?? []));
  return same(rules, role.rules ?? []) ? undefined : rules;
}

function distinct(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const unique: PolicyRule[] = [];
  for (const rule of rules) if (!unique.some((other) => same(other, rule))) unique.push(rule);
  return unique;
}

const same = (a: unknown, b: unknown): boolean => jsonEqual(a as JsonValue, b as JsonValue);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
