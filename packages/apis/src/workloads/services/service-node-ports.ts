import { type FieldError, FieldErrors, StatusError } from '@ashlar/core';
import { NotAvailableError } from '../addresses/address-pool.ts';
import type { PortTaker } from '../addresses/port-pool.ts';
import {
  hasHealthCheck,
  hasNodePorts,
  type Service,
  type ServicePort,
  type ServiceSpec,
  takesNodePorts,
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
export function takeNodePorts(
  service: Service,
  was: ServiceSpec | undefined,
  ports: PortTaker,
): SpecWithNodePorts {
  const asked = service.spec ?? {};
  const name = service.metadata.name ?? '';
  const taken = was ? updatedPorts(name, asked, was, ports) : newPorts(name, asked, ports);
  const spec = taken ? { ...asked, ports: taken } : asked;
  const before = was ? nodePortsOf(was) : [];
  const after = new Set(hasNodePorts(spec) ? nodePortsOf(spec) : []);
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
function newPorts(name: string, spec: ServiceSpec, taker: PortTaker): readonly ServicePort[] | undefined {
  if (!hasNodePorts(spec) || !spec.ports) return undefined;
  const all = spec.ports;
  const shared = new Map<number, number>();
  const take = taking(name, taker);
  return all.map((port, index) => {
    const { port: number = 0, nodePort = 0 } = port;
    if (!nodePort && !takesNodePorts(spec)) return port;
    const known = shared.get(number);
    if (known !== undefined) {
      if (!nodePort) return { ...port, nodePort: known };
      if (nodePort !== known) take(nodePort, index);
      return port;
    }
    const asked = all.find((other) => other.port === number && other.nodePort)?.nodePort;
    const given = asked ? take(asked, index) : takeAny(taker, 'failed to allocate a nodePort');
    shared.set(number, given);
    return { ...port, nodePort: given };
  });
}

function updatedPorts(
  name: string,
  spec: ServiceSpec,
  was: ServiceSpec,
  taker: PortTaker,
): readonly ServicePort[] | undefined {
  if (!hasNodePorts(spec) || !spec.ports) return undefined;
  const own = new Set(nodePortsOf(was));
  const take = taking(name, taker);
  const used = new Set<string>();
  return spec.ports.map((port, index) => {
    if (!port.nodePort && !takesNodePorts(spec)) return port;
    const nodePort = port.nodePort || takeAny(taker, 'failed to allocate a nodePort');
    if (port.nodePort && !own.has(nodePort)) {
      take(nodePort, index);
      own.add(nodePort);
    }
    const key = `{${port.protocol} ${nodePort}}`;
    if (used.has(key)) throw new Error(`duplicate nodePort: ${key}`);
    used.add(key);
    return { ...port, nodePort };
  });
}

const taking =
  (name: string, taker: PortTaker) =>
  (port: number, index: number): number => {
    try {
      taker.take(port);
      return port;
    } catch (error) {
      if (!(error instanceof NotAvailableError)) throw error;
      const cause: FieldError = FieldErrors.invalid(`spec.ports[${index}].nodePort`, port, error.message);
      throw StatusError.invalid('', 'Service', name, [cause]);
    }
  };

function takeAny(taker: PortTaker, what: string): number {
  try {
    return taker.takeAny();
  } catch (error) {
    if (!(error instanceof NotAvailableError)) throw error;
    throw StatusError.internalError(`${what}: ${error.message}`);
  }
}

function withHealthCheck(spec: ServiceSpec, taker: PortTaker): ServiceSpec {
  const asked = spec.healthCheckNodePort;
  if (!asked) {
    return { ...spec, healthCheckNodePort: takeAny(taker, 'failed to allocate a HealthCheck NodePort 0') };
  }
  try {
    taker.take(asked);
  } catch (error) {
    if (!(error instanceof NotAvailableError)) throw error;
    const what = `failed to allocate requested HealthCheck NodePort ${asked}`;
    throw StatusError.internalError(`${what}: ${error.message}`);
  }
  return spec;
}
