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
    const warnings = [
      ...(port.hostIP && !port.hostPort ? [`${place}: hostIP set without hostPort: ${portText(port)}`] : []),
      ...others.flatMap((other) => overlapWarnings(port, other, place)),
    ];
    if (others.length < MAXIMUM_COMPARED) others.push({ place, port });
    return warnings;
  });
}

function* placedPorts(spec: PodSpec, path: string): Iterable<PlacedPort> {
  for (const [{ ports = [] }, container] of containersOf(spec, path))
    for (const [index, port] of ports.entries()) yield { place: `${container}.ports[${index}]`, port };
}

function overlapWarnings(port: ContainerPort, other: PlacedPort, place: string): readonly string[] {
  const [a, b] = [port.hostPort ?? 0, other.port.hostPort ?? 0];
  const [ip, otherIp] = [port.hostIP ?? '', other.port.hostIP ?? ''];
  if (ip === otherIp && a === b) return [`${place}: duplicate port definition with ${other.place}`];
  if (a === 0 || b === 0) return [`${place}: overlapping port definition with ${other.place}`];
  if (a === b && (ip === '') !== (otherIp === ''))
    return [`${place}: dangerously ambiguous port definition with ${other.place}`];
  return [];
}

const portText = ({
  name = '',
  hostPort = 0,
  containerPort = 0,
  protocol = '',
  hostIP = '',
}: ContainerPort): string =>
  `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
