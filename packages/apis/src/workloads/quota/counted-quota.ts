import { compareUtf8, ownMember, parseQuantity } from '@ashlar/core';
import type { Amounts } from '../admission/pod-resources.ts';
import type { ResourceQuota } from '../resources/quota-types.ts';

/** A quota to which one write after another adds what it uses. The names that nobody touches are copied once for all of them. */
export class CountedQuota {
  readonly quota: ResourceQuota;
  /** What is used now, of the names that were touched. */
  readonly #touched: Map<string, string> = new Map();

  constructor(quota: ResourceQuota) {
    this.quota = quota;
  }

  /** What is used of a name; undefined if nobody has counted it. */
  used(name: string): string | undefined {
    return this.#touched.get(name) ?? ownMember(this.quota.status?.used ?? {}, name);
  }

  /**
   * Adds the usage of one more object.
   * @returns the reason why it does not fit; nothing is added then
   */
  add(needed: Amounts): string | undefined {
    const { hard = {} } = this.quota.status ?? {};
    const sums = new Map<string, string>();
    const exceeded: string[] = [];
    for (const [name, amount] of needed) {
      const limit = ownMember(hard, name);
      if (limit === undefined) continue;
      const sum = parseQuantity(this.used(name) ?? '0').add(amount);
      sums.set(name, sum.toString());
      if (sum.compare(parseQuantity(limit)) > 0) exceeded.push(name);
    }
    if (exceeded.length > 0) return this.#exceededText(needed, exceeded.sort(compareUtf8));
    for (const [name, text] of sums) this.#touched.set(name, text);
    return undefined;
  }

  /** The quota with all that was added; the same one if that was nothing. */
  get result(): ResourceQuota {
    if (this.#touched.size === 0) return this.quota;
    const { status } = this.quota;
    const used = { ...status?.used, ...Object.fromEntries(this.#touched) };
    return { ...this.quota, status: { ...status, used } };
  }

  #exceededText(needed: Amounts, names: readonly string[]): string {
    const { metadata, status } = this.quota;
    const list = (amountOf: (name: string) => unknown): string =>
      names.map((name) => `${name}=${amountOf(name)}`).join(',');
    const canonical = (text: string | undefined): string => parseQuantity(text ?? '0').toString();
    const requested = list((name) => needed.get(name));
    const used = list((name) => canonical(this.used(name)));
    const limited = list((name) => canonical(ownMember(status?.hard ?? {}, name)));
    return `exceeded quota: ${metadata.name}, requested: ${requested}, used: ${used}, limited: ${limited}`;
  }
}
