import { quotaUsage, type ResourceQuota, typeOfQuotaName, usageIn } from '@ashlar/apis';
import {
  type Ambient,
  type GroupResource,
  groupResourceText,
  parseQuantity,
  pause,
  type Quantity,
} from '@ashlar/core';
import type { ObjectStore } from '@ashlar/storage';

/** Objects that are counted before others may run. */
const SLICE = 200;
/** The same of types. */
const TYPES = 50;

/** The prefix of the keys of a type. */
const prefixOf = (resource: GroupResource): string => `/${groupResourceText(resource)}/`;

/** The types whose objects use what a quota names, by the prefix of their keys. */
export function typesOfQuota({ spec, status }: ResourceQuota): ReadonlyMap<string, GroupResource> {
  const names = Object.keys({ ...spec?.hard, ...status?.hard });
  return new Map(names.map(typeOfQuotaName).map((type) => [prefixOf(type), type]));
}

/**
 * Counts what the stored objects of a namespace use of what a quota limits, as of one revision.
 * @throws StatusError if the revision has been compacted
 */
export async function countUsage(
  store: ObjectStore,
  quota: ResourceQuota,
  ambient: Ambient,
  atRevision: number,
): Promise<Readonly<Record<string, string>>> {
  const sums = new Map<string, Quantity>();
  let types = 0;
  for (const [prefix, type] of typesOfQuota(quota)) {
    // a quota may name thousands of types
    if (++types % TYPES === 0) await pause(ambient);
    const usage = quotaUsage(type, ambient.vocabulary);
    if (!usage) continue;
    const { records } = await store.list(`${prefix}${quota.metadata.namespace}/`, { atRevision });
    for (const [i, { object }] of records.entries()) {
      for (const [name, amount] of usageIn(quota, usage, object))
        if (usage.isCounted(name)) sums.set(name, sums.get(name)?.add(amount) ?? amount);
      if (i % SLICE === SLICE - 1) await pause(ambient);
    }
  }
  const zero = parseQuantity('0');
  const names = Object.keys(quota.spec?.hard ?? {});
  return Object.fromEntries(names.map((name) => [name, (sums.get(name) ?? zero).toString()]));
}
