import { canonicalIpText } from './address-range.ts';
import type { AllocationRecord } from './allocation-record.ts';
import type { ClusterIpRange } from './service-ranges.ts';

/** Thrown if an address or a port cannot be allocated. */
export class NotAvailableError extends Error {
  override readonly name: string = 'NotAvailableError';
}

/** The cluster IPs of one family. */
export class AddressPool {
  readonly #range: ClusterIpRange;
  readonly #record: AllocationRecord;

  constructor(range: ClusterIpRange, record: AllocationRecord) {
    this.#range = range;
    this.#record = record;
  }

  /**
   * Allocates an address that a client requests. A dry run only checks that it is in the range.
   * @throws NotAvailableError
   */
  async allocate(ip: string, dryRun: boolean): Promise<void> {
    const index = this.#range.addresses.indexOf(ip);
    if (index === undefined) {
      throw new NotAvailableError(
        `the provided IP (${canonicalIpText(ip)}) is not in the valid range. The range of valid IPs is ${this.#range.text}`,
      );
    }
    if (dryRun) return;
    await this.#record.change((allocated) => {
      if (allocated.has(index)) throw new NotAvailableError('provided IP is already allocated');
      allocated.add(index);
    });
  }

  /**
   * Allocates any address. A dry run returns that of the network, which is never allocated.
   * @throws NotAvailableError
   */
  async allocateAny(dryRun: boolean): Promise<string> {
    if (dryRun) return this.#range.addresses.network;
    const index = await this.#record.change((allocated) => {
      const free = this.#record.free(allocated);
      if (free === undefined) throw new NotAvailableError('range is full');
      allocated.add(free);
      return free;
    });
    return this.#range.addresses.at(index);
  }

  /** Releases an address; one that is not allocated, or of another range, is ignored. */
  async release(ip: string): Promise<void> {
    const index = this.#range.addresses.indexOf(ip);
    if (index !== undefined) await this.#record.change((allocated) => allocated.delete(index));
  }
}
