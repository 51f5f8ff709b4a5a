import { addressText } from '@ashlar/cel';
import { parseCidr } from '@ashlar/core';

/** Returns the first address of a range that a service can have; undefined if there is none. */
export function firstAddressOf(cidr: string): string | undefined {
  const range = parseCidr(cidr);
  if (!range || range.prefixLength > range.address.length * 8 - 1) return undefined;
  const { prefixLength } = range;
  const bytes = range.address.map(
    (byte, i) => byte & (0xff00 >> Math.min(8, Math.max(0, prefixLength - i * 8))),
  );
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) + 1;
  return addressText({ bytes: [...bytes], zone: '', mapped: false });
}
