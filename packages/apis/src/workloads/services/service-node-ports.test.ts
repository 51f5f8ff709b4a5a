import { runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { PortAllocator } from '../addresses/port-pool.ts';
import { allocateNodePorts, withNodePortsSteps } from './service-node-ports.ts';
import type { Service, ServicePort, ServiceSpec } from './service-types.ts';

function allocator(): PortAllocator & { readonly requested: number[] } {
  const requested: number[] = [];
  let next = 30_000;
  return { requested, allocate: (port) => void requested.push(port), allocateAny: () => next++ };
}

const serviceOf = (ports: readonly ServicePort[], more: ServiceSpec = {}): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'a' },
  spec: { type: 'NodePort', ports, ...more },
});

function completed(service: Service, was?: ServiceSpec) {
  const ports = allocator();
  const allocated = allocateNodePorts(service, was, ports);
  return {
    spec: runAtOnce(withNodePortsSteps(service.spec ?? {}, allocated)),
    released: allocated.released,
    requested: ports.requested,
  };
}

describe('the ports of nodes of a service', () => {
  it('are shared by equal ports of different protocols', () => {
    const { spec } = completed(
      serviceOf([
        { port: 53, protocol: 'TCP' },
        { port: 53, protocol: 'UDP' },
        { port: 80, protocol: 'TCP' },
      ]),
    );
    expect(spec.ports?.map(({ nodePort }) => nodePort)).toEqual([30_000, 30_000, 30_001]);
  });

  it('are those that it requests, and its ports stay as they are then', () => {
    const service = serviceOf([{ port: 80, nodePort: 31_000 }]);
    const { spec, requested } = completed(service);
    expect(requested).toEqual([31_000]);
    expect(spec.ports?.[0]).toBe(service.spec?.ports?.[0]);
  });

  it('are given back with the ports that had them, and where load balancers checked it', () => {
    const was: ServiceSpec = {
      ...{ type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 32_000 },
      ports: [
        { port: 80, nodePort: 31_000 },
        { port: 81, nodePort: 31_001 },
      ],
    };
    const { spec, released } = completed(serviceOf([{ port: 80, nodePort: 31_000 }]), was);
    expect(spec.ports).toEqual([{ port: 80, nodePort: 31_000 }]);
    expect(released).toEqual([31_001, 32_000]);
  });

  it('are none of a balanced service that wants none, besides where it is checked', () => {
    const balanced: ServiceSpec = {
      ...{ type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
      allocateLoadBalancerNodePorts: false,
    };
    const { spec } = completed(serviceOf([{ port: 80 }], balanced));
    expect(spec).toMatchObject({ ports: [{ port: 80 }], healthCheckNodePort: 30_000 });
    expect(spec.ports?.[0]).not.toHaveProperty('nodePort');
  });

  it('are added with pauses', () => {
    const service = serviceOf(Array.from({ length: 20_000 }, (_, i) => ({ port: i + 1 })));
    const allocated = allocateNodePorts(service, undefined, allocator());
    expect([...withNodePortsSteps(service.spec ?? {}, allocated)].length).toBeGreaterThan(8);
  });
});
