import type { ObjectStore } from '@ashlar/storage';
import { type IpFamily, ipFamilyOf } from '../addresses/address-range.ts';
import type { AllocationRecord } from '../addresses/allocation-record.ts';
import { Bitmap } from '../addresses/bitmap.ts';
import type { ClusterIpRange, PortRange } from '../addresses/service-ranges.ts';
import { nodePortsOf } from './service-node-ports.ts';
import { hasClusterIP, hasHealthCheck, isHeadless, type Service } from './service-types.ts';

/** How often a number without an owner is found before it is given back: its service may be just about to be stored. */
const ROUNDS_BEFORE_RELEASE = 3;

interface RecordedRange<R> {
  readonly range: R;
  readonly record: AllocationRecord;
}

/** Makes the records of addresses and ports agree with the stored services. */
export class ServiceRepair {
  readonly #store: ObjectStore;
  readonly #addresses: ReadonlyMap<IpFamily, RecordedRange<ClusterIpRange>>;
  readonly #ports: RecordedRange<PortRange>;
  readonly #leaks: Map<AllocationRecord, Map<number, number>> = new Map();

  constructor(
    store: ObjectStore,
    addresses: ReadonlyMap<IpFamily, RecordedRange<ClusterIpRange>>,
    ports: RecordedRange<PortRange>,
  ) {
    this.#store = store;
    this.#addresses = addresses;
    this.#ports = ports;
  }

  async run(): Promise<void> {
    const { range } = this.#ports;
    await this.#agree(this.#ports.record, (service) => portsOf(service).map((port) => port - range.first));
    for (const [family, { range, record }] of this.#addresses) {
      await this.#agree(record, (service) =>
        addressesOf(service)
          .filter((ip) => ipFamilyOf(ip) === family)
          .flatMap((ip) => range.addresses.indexOf(ip) ?? []),
      );
    }
  }

  /** A number that is allocated after the record was read makes this read both again, so that none is missed. */
  async #agree(record: AllocationRecord, numbersOf: (service: Service) => readonly number[]): Promise<void> {
    const before = await record.read().catch(() => undefined);
    const owned = new Bitmap(record.range.size);
    const { records } = await this.#store.list('/services/');
    for (const { object } of records) {
      for (const index of numbersOf(object as Service))
        if (index >= 0 && index < owned.size) owned.add(index);
    }
    const leaks = this.#leaksAmong(record, before, owned);
    await record.replace((current) => {
      const agreed = new Bitmap(owned.size, owned.text);
      for (const index of current?.values() ?? []) if (!leaks.has(index)) agreed.add(index);
      return agreed;
    });
  }

  /** Returns the numbers that were without an owner several times. */
  #leaksAmong(record: AllocationRecord, before: Bitmap | undefined, owned: Bitmap): ReadonlySet<number> {
    const existing = this.#leaks.get(record) ?? new Map<number, number>();
    const suspects = new Map<number, number>();
    const leaks = new Set<number>();
    for (const index of before?.values() ?? []) {
      if (owned.has(index)) continue;
      const rounds = (existing.get(index) ?? 0) + 1;
      if (rounds > ROUNDS_BEFORE_RELEASE) leaks.add(index);
      else suspects.set(index, rounds);
    }
    this.#leaks.set(record, suspects);
    return leaks;
  }
}

const addressesOf = ({ spec = {} }: Service): readonly string[] =>
  hasClusterIP(spec) && !isHeadless(spec) ? (spec.clusterIPs ?? []) : [];

function portsOf({ spec = {} }: Service): readonly number[] {
  const health = hasHealthCheck(spec) && spec.healthCheckNodePort;
  return [...nodePortsOf(spec), ...(health ? [health] : [])];
}
