import { type FieldError, FieldErrors, StatusError } from '@ashlar/core';
import { NotAvailableError } from '../addresses/address-pool.ts';
import type { PortAllocator } from '../addresses/port-pool.ts';
import {
  hasHealthCheck,
  hasNodePorts,
  needsNodePorts,
  type Service,
  type ServicePort,
  type ServiceSpec,
} from './service-types.ts';

/** A spec with its node ports, and those that it no longer needs. */
export interface SpecWithNodePorts {
  readonly spec: ServiceSpec;
  readonly released: readonly number[];
}

/** Whether a write of a service may take or give back ports of nodes. */
export const concernsNodePorts = (spec: ServiceSpec, was: ServiceSpec | undefined): boolean =>
  hasNodePorts(spec) || (was !== undefined && hasNodePorts(was));

/**
 * Takes the ports of nodes that a service needs and does not have.
 * @throws StatusError 422 for a port that is not available, 500 if none is
 */
export function allocateNodePorts(
  service: Service,
  was: ServiceSpec | undefined,
  ports: PortAllocator,
): SpecWithNodePorts {
  const requested = service.spec ?? {};
  const name = service.metadata.name ?? '';
  const allocatedPorts = was ? updatedPorts(name, requested, was, ports) : newPorts(name, requested, ports);
  const spec = allocatedPorts ? { ...requested, ports: allocatedPorts } : requested;
  const before = was ? nodePortsOf(was) : [];
  const after = new Set(before.length > 0 && hasNodePorts(spec) ? nodePortsOf(spec) : []);
  const released = before.filter((port) => hasNodePorts(was ?? {}) && !after.has(port));
  const had = was !== undefined && hasHealthCheck(was);
  if (hasHealthCheck(spec) && !had) return { spec: withHealthCheck(spec, ports), released };
  const freed = had && !hasHealthCheck(spec) && was.healthCheckNodePort;
  return { spec, released: freed ? [...released, freed] : released };
}

/** The ports of nodes that a service names, in its order. */
export const nodePortsOf = ({ ports = [] }: ServiceSpec): readonly number[] =>
  ports.flatMap(({ nodePort }) => nodePort || []);

/** Ports of a new service: equal ports of different protocols share one. */
function newPorts(
  name: string,
  spec: ServiceSpec,
  allocator: PortAllocator,
): readonly ServicePort[] | undefined {
  if (!hasNodePorts(spec) || !spec.ports) return undefined;
  const all = spec.ports;
  const shared = new Map<number, number>();
  const requestedPorts = requestedByNumber(all);
  const allocate = allocationOf(name, allocator);
  return all.map((port, index) => {
    const { port: number = 0, nodePort = 0 } = port;
    if (!nodePort && !needsNodePorts(spec)) return port;
    const existing = shared.get(number);
    if (existing !== undefined) {
      if (!nodePort) return { ...port, nodePort: existing };
      if (nodePort !== existing) allocate(nodePort, index);
      return port;
    }
    const requested = requestedPorts.get(number);
    const nodePortOfNumber = requested
      ? allocate(requested, index)
      : allocateAny(allocator, 'failed to allocate a nodePort');
    shared.set(number, nodePortOfNumber);
    return { ...port, nodePort: nodePortOfNumber };
  });
}

/** The first port of nodes that is requested for each port. */
function requestedByNumber(ports: readonly ServicePort[]): ReadonlyMap<number, number> {
  const requested = new Map<number, number>();
  for (const { port, nodePort } of ports)
    if (port !== undefined && nodePort && !requested.has(port)) requested.set(port, nodePort);
  return requested;
}

function updatedPorts(
  name: string,
  spec: ServiceSpec,
  was: ServiceSpec,
  allocator: PortAllocator,
): readonly ServicePort[] | undefined {
  if (!hasNodePorts(spec) || !spec.ports) return undefined;
  const own = new Set(nodePortsOf(was));
  const allocate = allocationOf(name, allocator);
  const used = new Set<string>();
  return spec.ports.map((port, index) => {
    if (!port.nodePort && !needsNodePorts(spec)) return port;
    const nodePort = port.nodePort || allocateAny(allocator, 'failed to allocate a nodePort');
    if (port.nodePort && !own.has(nodePort)) {
      allocate(nodePort, index);
      own.add(nodePort);
    }
    const key = `{${port.protocol} ${nodePort}}`;
    if (used.has(key)) throw duplicatePort(key);
    used.add(key);
    return { ...port, nodePort };
  });
}

/** Release 1.32 finds it after the service has been validated, and calls it no error of the request. */
const duplicatePort = (key: string): StatusError =>
  new StatusError({ code: 500, reason: '', message: `duplicate nodePort: ${key}` });

const allocationOf =
  (name: string, allocator: PortAllocator) =>
  (port: number, index: number): number => {
    try {
      allocator.allocate(port);
      return port;
    } catch (error) {
      if (!(error instanceof NotAvailableError)) throw error;
      const cause: FieldError = FieldErrors.invalid(`spec.ports[${index}].nodePort`, port, error.message);
      throw StatusError.invalid('', 'Service', name, [cause]);
    }
  };

function allocateAny(allocator: PortAllocator, what: string): number {
  try {
    return allocator.allocateAny();
  } catch (error) {
    if (!(error instanceof NotAvailableError)) throw error;
    throw StatusError.internalError(`${what}: ${error.message}`);
  }
}

function withHealthCheck(spec: ServiceSpec, allocator: PortAllocator): ServiceSpec {
  const requested = spec.healthCheckNodePort;
  if (!requested) {
    return {
      ...spec,
      healthCheckNodePort: allocateAny(allocator, 'failed to allocate a HealthCheck NodePort 0'),
    };
  }
  try {
    allocator.allocate(requested);
  } catch (error) {
    if (!(error instanceof NotAvailableError)) throw error;
    const what = `failed to allocate requested HealthCheck NodePort ${requested}`;
    throw StatusError.internalError(`${what}: ${error.message}`);
  }
  return spec;
}
