import { hasMember } from '@ashlar/core';
import type { ResourceList } from '../pods/container-types.ts';
import type { ResourceQuota } from '../resources/quota-types.ts';
import type { QuotaUsage } from './resource-usage.ts';

/** Names of limits by the usage that they count: a quota may have thousands, and each write of its namespace asks for them. */
const NAMES: WeakMap<ResourceList, WeakMap<QuotaUsage, readonly string[]>> = new WeakMap();

/** The names by which a quota limits objects of a type. */
export function countedNames({ status }: ResourceQuota, usage: QuotaUsage): readonly string[] {
  const hard = status?.hard ?? {};
  if (usage.names) return usage.names.filter((name) => hasMember(hard, name));
  const known = NAMES.get(hard) ?? new WeakMap<QuotaUsage, readonly string[]>();
  NAMES.set(hard, known);
  const names = known.get(usage) ?? Object.keys(hard).filter((name) => usage.isCounted(name));
  known.set(usage, names);
  return names;
}
