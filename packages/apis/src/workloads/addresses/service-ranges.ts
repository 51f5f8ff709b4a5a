import type { ServiceNetwork } from '@ashlar/registry';
import { AddressRange, type IpFamily } from './address-range.ts';
import type { AllocatedRange } from './allocation-record.ts';

const DEFAULT_CLUSTER_IP_RANGE = '10.0.0.0/24';
const DEFAULT_NODE_PORT_RANGE = '30000-32767';

/** A range of cluster IPs. */
export interface ClusterIpRange extends AllocatedRange {
  readonly addresses: AddressRange;
}

/** A range of ports. */
export interface PortRange extends AllocatedRange {
  readonly first: number;
}

/** Returns the ranges of cluster IPs, that of the default family first. */
export function clusterIpRanges({
  clusterIpRanges: configuredRanges,
}: ServiceNetwork): ReadonlyMap<IpFamily, ClusterIpRange> {
  const texts = configuredRanges?.length ? configuredRanges : [DEFAULT_CLUSTER_IP_RANGE];
  return new Map(
    texts.map((text, index) => {
      const addresses = AddressRange.parse(text);
      if (!addresses) throw new TypeError(`${text} is not a CIDR`);
      const name = index === 0 ? 'serviceips' : 'secondaryserviceips';
      const all = 2 ** ((addresses.family === 'IPv4' ? 32 : 128) - addresses.prefixLength);
      const range = { name, text: addresses.text, size: addresses.size, reserved: reservedOf(all, 16, 256) };
      return [addresses.family, { ...range, addresses }];
    }),
  );
}

export function nodePortRange({
  nodePortRange: configuredRange = DEFAULT_NODE_PORT_RANGE,
}: ServiceNetwork): PortRange {
  const ports = parsePorts(configuredRange);
  if (!ports) throw new TypeError(`${configuredRange} is not a range of ports`);
  const { first, last } = ports;
  const size = last - first + 1;
  const text = `${first}-${last}`;
  return { name: 'servicenodeports', text, size, reserved: reservedOf(size, 32, 128), first };
}

/** Parses `30000-32767`, `30000+2767` or a single port. */
function parsePorts(text: string): { readonly first: number; readonly last: number } | undefined {
  const found = /^(\d{1,5})(?:([-+])(\d{1,5}))?$/.exec(text.trim());
  if (!found) return undefined;
  const first = Number(found[1]);
  const second = Number(found[3] ?? 0);
  const last = found[2] === '-' ? second : Math.min(65_535, first + second);
  return first > 0 && last >= first && last <= 65_535 ? { first, last } : undefined;
}

/** Most bits that addresses of a range differ in: the record of allocations has a bit for each address. */
const MAXIMUM_BITS = 20;
const MINIMUM_ADDRESSES = 8;

/** Returns why ranges cannot be used; undefined if they can. */
export function serviceNetworkFault({
  clusterIpRanges: texts = [],
  nodePortRange: ports,
}: ServiceNetwork): string | undefined {
  if (texts.length > 2) return 'there are at most two ranges of cluster IPs';
  const ranges: AddressRange[] = [];
  for (const text of texts) {
    const range = AddressRange.parse(text);
    const bits = range && (range.family === 'IPv4' ? 32 : 128) - range.prefixLength;
    if (bits === undefined) return `${text} is not a CIDR`;
    if (bits > MAXIMUM_BITS) return `${text} has more than 2^${MAXIMUM_BITS} addresses`;
    if (2 ** bits < MINIMUM_ADDRESSES) return `${text} has less than ${MINIMUM_ADDRESSES} addresses`;
    ranges.push(range as AddressRange);
  }
  if (new Set(ranges.map(({ family }) => family)).size < ranges.length)
    return 'two ranges of cluster IPs must be of different IP families';
  if (ports !== undefined && !parsePorts(ports)) return `${ports} is not a range of ports`;
  return undefined;
}

/** Returns the address of the service of the API server itself: the first of the default range. */
export function firstServiceAddress(network: ServiceNetwork): string {
  const [range] = clusterIpRanges(network).values();
  return (range as ClusterIpRange).addresses.at(0);
}

/** Minimum number of reserved numbers, which are allocated on request only; a smaller range reserves none. */
const MINIMUM_RESERVED = 16;

function reservedOf(size: number, share: number, maximum: number): number {
  if (size <= MINIMUM_RESERVED) return 0;
  return Math.min(maximum, Math.max(MINIMUM_RESERVED, Math.floor(size / share)));
}
