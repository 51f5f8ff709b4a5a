import { increase, type QuotaUsage, type ResourceQuota, usageIn } from '@ashlar/apis';
import {
  type ApiObject,
  type JsonValue,
  jsonEqual,
  ownMember,
  parseQuantity,
  type Quantity,
} from '@ashlar/core';

type Amounts = Readonly<Record<string, string>>;

/** What is known about a quota. */
export interface LedgerEntry {
  readonly key: string;
  quota: ResourceQuota;
  /** The revision of that state. */
  revision: number;
  /** What happened to objects until this revision is no longer of interest. */
  since: number;
  /** What removed objects used, less what has been subtracted from the quota since; negative if more was subtracted. */
  readonly freed: Map<string, Quantity>;
  /** When the usage last rose. */
  roseAt: number;
  /** The usage that a count writes, without a subtraction. */
  counted: Amounts | undefined;
}

/**
 * What may be subtracted from the usage of quotas. Every server over a store sees the same changes of quotas and objects, and so knows what
 * others have subtracted already: with compare-and-swap each removed object is subtracted once, and requests that were counted and are not
 * stored yet are never subtracted.
 */
export class QuotaLedger {
  readonly #now: () => number;
  readonly #entries: Map<string, LedgerEntry> = new Map();

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number) {
    this.#now = now;
  }

  get entries(): readonly LedgerEntry[] {
    return [...this.#entries.values()];
  }

  find(key: string): LedgerEntry | undefined {
    return this.#entries.get(key);
  }

  set(key: string, quota: ResourceQuota, revision: number): LedgerEntry {
    const existing = this.#entries.get(key);
    if (!existing) return this.#add(key, quota, revision);
    const [used, before] = [quota.status?.used ?? {}, existing.quota.status?.used ?? {}];
    const isCount = existing.counted && jsonEqual(used as JsonValue, existing.counted as JsonValue);
    existing.counted = undefined;
    existing.quota = quota;
    existing.revision = revision;
    // a quota may have thousands of names, few of which change
    for (const name in used) {
      const text = used[name] as string;
      const earlier = ownMember(before, name) ?? text;
      if (text === earlier) continue;
      const difference = parseQuantity(text).subtract(parseQuantity(earlier));
      if (difference.sign > 0) existing.roseAt = this.#now();
      else if (difference.sign < 0 && !isCount) add(existing.freed, name, difference);
    }
    return existing;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** An object uses less than before, or nothing. */
  fell(
    namespace: string,
    usage: QuotaUsage,
    [before, after]: readonly [before: ApiObject, after: ApiObject | undefined],
    revision: number,
  ): readonly LedgerEntry[] {
    return this.entries.filter((entry) => {
      if (entry.quota.metadata.namespace !== namespace || revision <= entry.since) return false;
      const less = increase(usageIn(entry.quota, usage, before), usageIn(entry.quota, usage, after));
      for (const [name, amount] of less) if (usage.isCounted(name)) add(entry.freed, name, amount);
      return less.size > 0;
    });
  }

  #add(key: string, quota: ResourceQuota, revision: number): LedgerEntry {
    const entry: LedgerEntry = {
      ...{ key, quota, revision, since: revision, freed: new Map() },
      ...{ roseAt: this.#now(), counted: undefined },
    };
    this.#entries.set(key, entry);
    return entry;
  }
}

/** The usage without what was freed; undefined if there is nothing to take off. */
export function usageLessFreed({ quota, freed }: LedgerEntry): Amounts | undefined {
  const { used = {} } = quota.status ?? {};
  const less: Record<string, string> = {};
  for (const [name, amount] of freed) {
    const current = ownMember(used, name);
    if (current === undefined || amount.sign <= 0) continue;
    const quantity = parseQuantity(current);
    const isMore = amount.compare(quantity) > 0;
    // what is more than all of it was never counted
    if (isMore) freed.set(name, quantity);
    if (quantity.sign > 0) less[name] = isMore ? '0' : quantity.subtract(amount).toString();
  }
  return Object.keys(less).length > 0 ? { ...used, ...less } : undefined;
}

function add(amounts: Map<string, Quantity>, name: string, amount: Quantity): void {
  const sum = amounts.get(name)?.add(amount) ?? amount;
  if (sum.sign === 0) amounts.delete(name);
  else amounts.set(name, sum);
}
