import { firstWarnings, MAXIMUM_COMPARED } from '../../types/first-warnings.ts';
import type { PodSpec } from '../core/pod-types.ts';
import type { ContainerPort } from './container-types.ts';
import { containersOf } from './operating-system.ts';

interface PlacedPort {
  readonly place: string;
  readonly port: ContainerPort;
}

/** Texts of Warning headers about ports of containers that are the same, or overlap. */
export function portWarnings(spec: PodSpec, path: string): readonly string[] {
  const earlier = new Map<string, PlacedPort[]>();
  return firstWarnings(placedPorts(spec, path), ({ place, port }) => {
    const key = `${port.containerPort ?? 0}/${port.protocol ?? ''}`;
    const others = earlier.get(key) ?? [];
    earlier.set(key, others);
    const warnings: string[] = [];
    if (port.hostIP && !port.hostPort)
      warnings.push(`${place}: hostIP set without hostPort: ${portText(port)}`);
    for (const other of others) {
      const overlap = overlapOf(port, other.port);
      if (overlap) warnings.push(`${place}: ${overlap} port definition with ${other.place}`);
    }
    if (others.length < MAXIMUM_COMPARED) others.push({ place, port });
    return warnings;
  });
}

function* placedPorts(spec: PodSpec, path: string): Iterable<PlacedPort> {
  for (const [{ ports = [] }, container] of containersOf(spec, path))
    for (const [index, port] of ports.entries()) yield { place: `${container}.ports[${index}]`, port };
}

/** How two ports with the same number are the same; undefined if they are not. Each is compared with many. */
function overlapOf(port: ContainerPort, other: ContainerPort): string | undefined {
  const onHost = port.hostPort ?? 0;
  const otherOnHost = other.hostPort ?? 0;
  if (onHost !== otherOnHost) return onHost === 0 || otherOnHost === 0 ? 'overlapping' : undefined;
  const address = port.hostIP ?? '';
  const otherAddress = other.hostIP ?? '';
  if (address === otherAddress) return 'duplicate';
  if (onHost === 0) return 'overlapping';
  return address === '' || otherAddress === '' ? 'dangerously ambiguous' : undefined;
}

const portText = ({
  name = '',
  hostPort = 0,
  containerPort = 0,
  protocol = '',
  hostIP = '',
}: ContainerPort): string =>
  `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
