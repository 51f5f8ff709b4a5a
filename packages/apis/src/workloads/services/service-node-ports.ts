import { type FieldError, FieldErrors, StatusError, type Steps } from '@ashlar/core';
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

/** The ports of nodes of a service, and those that it no longer needs. */
export interface NodePorts {
  /** That of each of its ports, in their order: 0 for one that has none. Empty for services that have none at all. */
  readonly ofPorts: readonly number[];
  /** Where load balancers check it, if that is allocated now. */
  readonly ofHealthCheck?: number;
  readonly released: readonly number[];
}

/** Number of ports that are completed between two pauses. */
const COMPLETED_PER_STEP = 1024;

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
): NodePorts {
  const spec = service.spec ?? {};
  const name = service.metadata.name ?? '';
  const ofPorts = was ? updatedPorts(name, spec, was, ports) : newPorts(name, spec, ports);
  const before = was && hasNodePorts(was) ? nodePortsOf(was) : [];
  const after = new Set(before.length > 0 ? ofPorts : []);
  const released = before.filter((port) => !after.has(port));
  const had = was !== undefined && hasHealthCheck(was);
  if (hasHealthCheck(spec) && !had)
    return { ofPorts, ofHealthCheck: allocateHealthCheck(spec, ports), released };
  const freed = had && !hasHealthCheck(spec) && was.healthCheckNodePort;
  return { ofPorts, released: freed ? [...released, freed] : released };
}

/** The spec with its ports of nodes, with pauses: it may have ports by the ten thousand. */
export function* withNodePortsSteps(
  spec: ServiceSpec,
  { ofPorts, ofHealthCheck }: NodePorts,
): Steps<ServiceSpec> {
  const checked = ofHealthCheck === undefined ? spec : { ...spec, healthCheckNodePort: ofHealthCheck };
  if (ofPorts.length === 0) return checked;
  const ports: ServicePort[] = [];
  for (const [index, port] of (spec.ports ?? []).entries()) {
    const nodePort = ofPorts[index];
    ports.push(nodePort && nodePort !== port.nodePort ? { ...port, nodePort } : port);
    if (ports.length % COMPLETED_PER_STEP === 0) yield;
  }
  return { ...checked, ports };
}

/** The ports of nodes that a service names, in its order. */
export const nodePortsOf = ({ ports = [] }: ServiceSpec): readonly number[] =>
  ports.flatMap(({ nodePort }) => nodePort || []);

/** Ports of a new service: equal ports of different protocols share one. */
function newPorts(name: string, spec: ServiceSpec, allocator: PortAllocator): readonly number[] {
  if (!hasNodePorts(spec) || !spec.ports) return [];
  const all = spec.ports;
  const shared = new Map<number, number>();
  const requestedPorts = requestedByNumber(all);
  const allocate = allocationOf(name, allocator);
  return all.map(({ port = 0, nodePort = 0 }, index) => {
    if (!nodePort && !needsNodePorts(spec)) return 0;
    const existing = shared.get(port);
    if (existing !== undefined) {
      if (!nodePort || nodePort === existing) return existing;
      return allocate(nodePort, index);
    }
    const requested = requestedPorts.get(port);
    const nodePortOfNumber = requested
      ? allocate(requested, index)
      : allocateAny(allocator, 'failed to allocate a nodePort');
    shared.set(port, nodePortOfNumber);
    return nodePortOfNumber;
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
): readonly number[] {
  if (!hasNodePorts(spec) || !spec.ports) return [];
  const own = new Set(nodePortsOf(was));
  const allocate = allocationOf(name, allocator);
  const used = new Set<string>();
  return spec.ports.map((port, index) => {
    if (!port.nodePort && !needsNodePorts(spec)) return 0;
    const nodePort = port.nodePort || allocateAny(allocator, 'failed to allocate a nodePort');
    if (port.nodePort && !own.has(nodePort)) {
      allocate(nodePort, index);
      own.add(nodePort);
    }
    const key = `{${port.protocol} ${nodePort}}`;
    if (used.has(key)) throw duplicatePort(key);
    used.add(key);
    return nodePort;
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

function allocateHealthCheck(
  { healthCheckNodePort: requested }: ServiceSpec,
  allocator: PortAllocator,
): number {
  if (!requested) return allocateAny(allocator, 'failed to allocate a HealthCheck NodePort 0');
  try {
    allocator.allocate(requested);
  } catch (error) {
    if (!(error instanceof NotAvailableError)) throw error;
    const what = `failed to allocate requested HealthCheck NodePort ${requested}`;
    throw StatusError.internalError(`${what}: ${error.message}`);
  }
  return requested;
}
