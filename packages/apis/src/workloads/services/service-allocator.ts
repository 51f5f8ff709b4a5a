import { type ApiObject, FieldErrors, runInSlices, StatusError } from '@ashlar/core';
import type { Allocation, AllocatorEnvironment, ObjectAllocator } from '@ashlar/registry';
import { AddressPool, NotAvailableError } from '../addresses/address-pool.ts';
import { type IpFamily, ipFamilyOf } from '../addresses/address-range.ts';
import { AllocationRecord } from '../addresses/allocation-record.ts';
import { PortPool } from '../addresses/port-pool.ts';
import {
  type ClusterIpRange,
  clusterIpRanges,
  nodePortRange,
  type PortRange,
} from '../addresses/service-ranges.ts';
import { withMatchingAddresses, withStoredAddresses } from './service-addresses.ts';
import { type ClusterFamilies, withFamilies } from './service-families.ts';
import {
  allocateNodePorts,
  concernsNodePorts,
  type NodePorts,
  nodePortsOf,
  withNodePortsSteps,
} from './service-node-ports.ts';
import { ServiceRepair } from './service-repair.ts';
import { hasClusterIP, hasHealthCheck, isHeadless, type Service, type ServiceSpec } from './service-types.ts';

/** Creates the allocator of cluster IPs and node ports (semantics/verbs#addresses-of-services). */
export function serviceAllocator(environment: AllocatorEnvironment): ObjectAllocator {
  return new ServiceAllocator(environment);
}

/** The addresses and ports that one write allocates or releases. */
interface Allocated {
  readonly ips: readonly string[];
  readonly ports: readonly number[];
}

const NOTHING: Allocated = { ips: [], ports: [] };
const NO_NODE_PORTS: NodePorts = { ofPorts: [], released: [] };

class ServiceAllocator implements ObjectAllocator {
  readonly #environment: AllocatorEnvironment;
  readonly #families: ClusterFamilies;
  readonly #addresses: ReadonlyMap<string, AddressPool>;
  readonly #ports: PortPool;
  readonly #repair: ServiceRepair;

  constructor(environment: AllocatorEnvironment) {
    const { serviceNetwork = {}, store, recordPrefix: prefix, ambient } = environment;
    const recordOf = (range: ClusterIpRange | PortRange): AllocationRecord =>
      new AllocationRecord(range, { store, prefix, random: ambient.random });
    const ranges = [...clusterIpRanges(serviceNetwork)].map(
      ([family, range]) => [family, { range, record: recordOf(range) }] as const,
    );
    const ports = nodePortRange(serviceNetwork);
    const portRecord = recordOf(ports);
    this.#environment = environment;
    this.#families = ranges.map(([family]) => family) as [IpFamily, ...IpFamily[]];
    this.#addresses = new Map(
      ranges.map(([family, { range, record }]) => [family, new AddressPool(range, record)]),
    );
    this.#ports = new PortPool(ports, portRecord);
    this.#repair = new ServiceRepair(store, new Map(ranges), { range: ports, record: portRecord });
  }

  async begin(
    object: ApiObject,
    stored: ApiObject | undefined,
    { dryRun }: { readonly dryRun: boolean },
  ): Promise<Allocation> {
    const name = object.metadata.name ?? '';
    const was = stored && ((stored as Service).spec ?? {});
    const requested = (object as Service).spec ?? {};
    const spec = this.#withFamilies(name, was ? withStoredAddresses(requested, was) : requested, was);
    const addressed = await this.#allocateAddresses(name, spec, was, dryRun);
    try {
      return await this.#allocatePorts({ ...object, spec: addressed.spec }, was, addressed, dryRun);
    } catch (error) {
      await this.#release({ ips: addressed.allocated, ports: [] });
      throw error;
    }
  }

  async release(removed: ApiObject): Promise<void> {
    const { metadata, spec = {} } = removed as Service;
    const { namespace = '', name = '' } = metadata;
    await this.#environment
      .deleteRelated('endpoints', namespace, name)
      .catch((error) => this.#environment.onError(error));
    const health = hasHealthCheck(spec) && spec.healthCheckNodePort;
    const ips = hasClusterIP(spec) && !isHeadless(spec) ? (spec.clusterIPs ?? []) : [];
    await this.#release({ ips, ports: [...nodePortsOf(spec), ...(health ? [health] : [])] });
  }

  repair(): Promise<void> {
    return this.#repair.run();
  }

  #withFamilies(name: string, requested: ServiceSpec, was: ServiceSpec | undefined): ServiceSpec {
    const { spec, errors } = withFamilies(withMatchingAddresses(requested, was), was, this.#families);
    if (errors.length > 0) throw StatusError.invalid('', 'Service', name, errors);
    return spec;
  }

  async #allocateAddresses(
    name: string,
    spec: ServiceSpec,
    was: ServiceSpec | undefined,
    dryRun: boolean,
  ): Promise<{
    readonly spec: ServiceSpec;
    readonly allocated: readonly string[];
    readonly released: readonly string[];
  }> {
    const { from, released } = addressChange(spec, was, this.#families);
    const families = spec.ipFamilies ?? [];
    // an error shows a place for each address that is still missing
    const clusterIPs = families.map((_, index) => spec.clusterIPs?.[index] ?? '');
    const allocated: string[] = [];
    try {
      for (const [index, family] of families.entries()) {
        if (index < from) continue;
        const ip = await this.#allocateAddress(name, family, clusterIPs, index, dryRun);
        if (!dryRun) allocated.push(ip);
        clusterIPs[index] = ip;
      }
    } catch (error) {
      await this.#release({ ips: allocated, ports: [] });
      throw error;
    }
    if (from === Number.POSITIVE_INFINITY) return { spec, allocated, released };
    return { spec: { ...spec, clusterIP: clusterIPs[0] ?? '', clusterIPs }, allocated, released };
  }

  async #allocateAddress(
    name: string,
    family: string,
    clusterIPs: readonly string[],
    index: number,
    dryRun: boolean,
  ): Promise<string> {
    const pool = this.#addresses.get(family) as AddressPool;
    const requested = clusterIPs[index];
    try {
      if (!requested) return await pool.allocateAny(dryRun);
      await pool.allocate(requested, dryRun);
      return requested;
    } catch (error) {
      if (!(error instanceof NotAvailableError)) throw error;
      if (!requested) throw StatusError.internalError(`failed to allocate a serviceIP: ${error.message}`);
      const why = `failed to allocate IP ${requested}: ${error.message}`;
      throw StatusError.invalid('', 'Service', name, [
        FieldErrors.invalid('spec.clusterIPs', clusterIPs, why),
      ]);
    }
  }

  async #allocatePorts(
    service: Service,
    was: ServiceSpec | undefined,
    addressed: { readonly allocated: readonly string[]; readonly released: readonly string[] },
    dryRun: boolean,
  ): Promise<Allocation> {
    const spec = service.spec ?? {};
    const { result, allocated } = concernsNodePorts(spec, was)
      ? await this.#ports.allocate((ports) => allocateNodePorts(service, was, ports), dryRun)
      : { result: NO_NODE_PORTS, allocated: [] };
    const completing = runInSlices(withNodePortsSteps(spec, result), this.#environment.ambient);
    const completed = completing instanceof Promise ? await completing : completing;
    const released = dryRun ? NOTHING : { ips: addressed.released, ports: result.released };
    return {
      object: { ...service, spec: completed },
      commit: () => this.#release(released),
      revert: () => this.#release({ ips: addressed.allocated, ports: allocated }),
    };
  }

  async #release({ ips, ports }: Allocated): Promise<void> {
    try {
      await this.#ports.release(ports);
      for (const ip of ips) await this.#addresses.get(ipFamilyOf(ip) ?? '')?.release(ip);
    } catch (error) {
      this.#environment.onError(error);
    }
  }
}

/** The index of the first family for which a service gets an address, and the addresses that it no longer needs. */
function addressChange(
  spec: ServiceSpec,
  was: ServiceSpec | undefined,
  cluster: ClusterFamilies,
): { readonly from: number; readonly released: readonly string[] } {
  const none = { from: Number.POSITIVE_INFINITY, released: [] };
  if (!was || !hasClusterIP(was))
    return hasClusterIP(spec) && spec.clusterIPs?.[0] !== 'None' ? { from: 0, released: [] } : none;
  const before = was.clusterIPs ?? [];
  if (before[0] === 'None') return none;
  if (!hasClusterIP(spec)) return { ...none, released: before };
  const [had, has] = [was.ipFamilies?.length ?? 0, spec.ipFamilies?.length ?? 0];
  // one that becomes headless may ask for a family that the cluster does not have
  if (had === 1 && has === 2)
    return cluster.includes(spec.ipFamilies?.[1] as IpFamily) ? { from: 1, released: [] } : none;
  return had === 2 && has === 1 ? { ...none, released: before.slice(1) } : none;
}
