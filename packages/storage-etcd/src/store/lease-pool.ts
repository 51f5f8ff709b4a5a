import type { EtcdClient } from '../client/etcd-client.ts';
import { leaseGrantMethod } from '../client/etcd-methods.ts';

/** How many values may hang on one lease: their end is one transaction in etcd. */
const VALUES_PER_LEASE = 1000;

/** How much longer than asked for a value may live, so that others can share its lease. */
const SHARED_PART = 0.05;
const SHARED_SECONDS = 60;

interface SharedLease {
  readonly lease: bigint;
  /** The last moment, by the monotonic clock, at which a new value still gets all its time. */
  readonly until: number;
  values: number;
}

/**
 * Leases by duration, each shared by the values written within a twentieth of it (at most a minute): a lease is dear to
 * etcd, and there would be one for each event. Values live as long as asked for, and by that part longer at most.
 */
export class LeasePool {
  readonly #client: EtcdClient;
  readonly #bySeconds: Map<number, Promise<SharedLease>> = new Map();

  constructor(client: EtcdClient) {
    this.#client = client;
  }

  /**
   * A lease of at least that many seconds, which one more value hangs on.
   * @throws RangeError if the seconds are no positive number
   */
  async lease(seconds: number): Promise<bigint> {
    if (!(seconds > 0 && seconds < Number.POSITIVE_INFINITY))
      throw new RangeError(`a lease cannot last ${seconds} seconds`);
    const whole = Math.ceil(seconds);
    const spare = Math.min(SHARED_SECONDS, Math.floor(whole * SHARED_PART));
    if (spare === 0) return (await this.#ask(whole, 0)).lease;
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

  /** A lease that etcd does not know (any more) is not handed out again. */
  async forget(lease: bigint): Promise<void> {
    for (const [seconds, granted] of this.#bySeconds) {
      const shared = await granted.catch(() => undefined);
      if (shared?.lease === lease) this.#drop(seconds, granted);
    }
  }

  #grant(seconds: number, spare: number): Promise<SharedLease> {
    const granted = this.#ask(seconds, spare);
    this.#bySeconds.set(seconds, granted);
    granted.catch(() => this.#drop(seconds, granted));
    return granted;
  }

  async #ask(seconds: number, spare: number): Promise<SharedLease> {
    const until = this.#client.clock.monotonic() + spare * 1000;
    const { lease } = await this.#client.call(leaseGrantMethod, { seconds: seconds + spare });
    return { lease, until, values: 0 };
  }

  #drop(seconds: number, granted: Promise<SharedLease>): void {
    if (this.#bySeconds.get(seconds) === granted) this.#bySeconds.delete(seconds);
  }
}
