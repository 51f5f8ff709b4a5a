import type { ApiObject, Quantity } from '@ashlar/core';
import type { Amounts } from '../admission/pod-resources.ts';
import type { ResourceQuota } from '../resources/quota-types.ts';
import { countedNames } from './counted-names.ts';
import type { QuotaScope, QuotaUsage } from './resource-usage.ts';

/** Whether a quota limits an object: by one of the names that it enforces, and by its scopes. */
export function quotaMatches(quota: ResourceQuota, usage: QuotaUsage, object: ApiObject): boolean {
  return countedNames(quota, usage).length > 0 && isInScopes(quota, usage, object);
}

/** Scopes of stored quotas: each is compared with many objects. */
const SCOPES: WeakMap<ResourceQuota, readonly QuotaScope[]> = new WeakMap();

/** The scopes of a quota, in both forms in which they are written; those without values once. */
export function scopesOf(quota: ResourceQuota): readonly QuotaScope[] {
  const known = SCOPES.get(quota);
  if (known) return known;
  const { scopes = [], scopeSelector } = quota.spec ?? {};
  const expressions = scopeSelector?.matchExpressions ?? [];
  const simple = new Map<string, QuotaScope>();
  for (const scopeName of scopes) simple.set(`${scopeName} `, { scopeName });
  const isSimple = ({ values = [] }: QuotaScope): boolean => values.length === 0;
  for (const scope of expressions)
    if (isSimple(scope)) simple.set(`${scope.scopeName} ${scope.operator ?? ''}`, scope);
  const found = [...simple.values(), ...expressions.filter((scope) => !isSimple(scope))];
  SCOPES.set(quota, found);
  return found;
}

/** Whether an object is in all scopes of a quota. */
function isInScopes(quota: ResourceQuota, usage: QuotaUsage, object: ApiObject): boolean {
  return scopesOf(quota).every((scope) => usage.isInScope?.(scope, object) ?? false);
}

/** What an update needs more than before; what it needs less does not count. */
export function increase(usage: Amounts, before: Amounts): Amounts {
  const more = new Map<string, Quantity>();
  for (const [name, amount] of usage) {
    const was = before.get(name);
    const difference = was ? amount.subtract(was) : amount;
    if (difference.sign > 0) more.set(name, difference);
  }
  return more;
}

/** What an object uses of a quota: nothing if it is not in its scopes. */
export const usageIn = (quota: ResourceQuota, usage: QuotaUsage, object: ApiObject | undefined): Amounts =>
  object && isInScopes(quota, usage, object) ? usage.of(object) : NOTHING;

const NOTHING: Amounts = new Map();
