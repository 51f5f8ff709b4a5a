import type { EtcdClient } from '../client/etcd-client.ts';
import { leaseGrantMethod } from '../client/etcd-methods.ts';

/** Maximum number of values per lease: they expire in one transaction in etcd. */
const VALUES_PER_LEASE = 1000;

/** How much longer than requested a value may live, so that others can share its lease. */
const SHARED_PART = 0.05;
const SHARED_SECONDS = 60;

interface SharedLease {
  readonly lease: bigint;
  /** The last time, on the monotonic clock, at which a new value still gets its full duration. */
  readonly until: number;
  values: number;
}

/**
 * Leases by duration, each shared by the values written within a twentieth of it (at most a minute): a lease
 * is expensive for etcd, and there would be one for each event. Values live as long as requested, and at most
 * that much longer.
 */
export class LeasePool {
  readonly #client: EtcdClient;
  readonly #bySeconds: Map<number, Promise<SharedLease>> = new Map();

  constructor(client: EtcdClient) {
    this.#client = client;
  }

  /**
   * A lease of at least that many seconds, with one more value.
   * @throws RangeError if the seconds are not a positive number
   */
  async lease(seconds: number): Promise<bigint> {
    if (!(seconds > 0 && seconds < Number.POSITIVE_INFINITY))
      throw new RangeError(`a lease cannot last ${seconds} seconds`);
    const whole = Math.ceil(seconds);
    const spare = Math.min(SHARED_SECONDS, Math.floor(whole * SHARED_PART));
    if (spare === 0) return (await this.#requestLease(whole, 0)).lease;
    for (;;) {
      const there = this.#bySeconds.get(whole);
      const granted = there ?? this.#grant(whole, spare);
      const shared = await granted;
      if (!there || (shared.values < VALUES_PER_LEASE && this.#client.clock.monotonic() <= shared.until)) {
        shared.values++;
        return shared.lease;
      }
      this.#drop(whole, granted);
    }
  }

  /** A lease that etcd does not know any more is not used again. */
  async forget(lease: bigint): Promise<void> {
    for (const [seconds, granted] of this.#bySeconds) {
      const shared = await granted.catch(() => undefined);
      if (shared?.lease === lease) this.#drop(seconds, granted);
    }
  }

  #grant(seconds: number, spare: number): Promise<SharedLease> {
    const granted = this.#requestLease(seconds, spare);
    this.#bySeconds.set(seconds, granted);
    granted.catch(() => this.#drop(seconds, granted));
    return granted;
  }

  async #requestLease(seconds: number, spare: number): Promise<SharedLease> {
    const until = this.#client.clock.monotonic() + spare * 1000;
    const { lease } = await this.#client.call(leaseGrantMethod, { seconds: seconds + spare });
    return { lease, until, values: 0 };
  }

  #drop(seconds: number, granted: Promise<SharedLease>): void {
    if (this.#bySeconds.get(seconds) === granted) this.#bySeconds.delete(seconds);
  }
}
