import { ipAddressText, maskedIpAddress, parseCidr, parseIpAddress, unmappedIpAddress } from '@ashlar/core';

export type IpFamily = 'IPv4' | 'IPv6';

/** Maximum number of addresses of an IPv6 range that are allocated. */
const MAXIMUM_V6 = 65_536;

/**
 * The addresses that can be allocated of a CIDR, numbered from 0: all but that of the network, of IPv4 also that of broadcasts, of IPv6 at
 * most the first 65,536.
 */
export class AddressRange {
  readonly family: IpFamily;
  /** The CIDR with the bits after the prefix cleared: `10.0.0.0/24`. */
  readonly text: string;
  /** Address of the network: `10.0.0.0`. */
  readonly network: string;
  readonly prefixLength: number;
  /** Number of addresses. */
  readonly size: number;
  readonly #base: Uint8Array;

  private constructor(address: Uint8Array, prefixLength: number) {
    this.#base = maskedIpAddress(address, prefixLength);
    const hostBits = address.length * 8 - prefixLength;
    this.family = address.length === 4 ? 'IPv4' : 'IPv6';
    this.prefixLength = prefixLength;
    this.network = ipAddressText(this.#base);
    this.text = `${this.network}/${prefixLength}`;
    this.size =
      this.family === 'IPv4'
        ? Math.max(0, 2 ** hostBits - 2)
        : Math.min(2 ** Math.min(hostBits, 52), MAXIMUM_V6) - 1;
  }

  /** Parses a CIDR; undefined for anything else. */
  static parse(cidr: string): AddressRange | undefined {
    const range = parseCidr(cidr);
    return range && new AddressRange(range.address, range.prefixLength);
  }

  /** Returns the number of an address; undefined if it is not among those that the range gives away. */
  indexOf(text: string): number | undefined {
    const parsed = parseIpAddress(text);
    const address = parsed && unmappedIpAddress(parsed);
    if (!address || address.length !== this.#base.length) return undefined;
    let distance = 0;
    for (const [i, byte] of address.entries()) {
      distance = distance * 256 + byte - (this.#base[i] as number);
      // far outside already, whatever the other bytes are
      if (distance < 0 || distance > 2 ** 40) return undefined;
    }
    const index = distance - 1;
    return index >= 0 && index < this.size ? index : undefined;
  }

  /** Returns the canonical text of the address with a number. */
  at(index: number): string {
    const bytes = [...this.#base];
    let rest = index + 1;
    for (let i = bytes.length - 1; rest > 0; i--) {
      const sum = (bytes[i] as number) + rest;
      bytes[i] = sum % 256;
      rest = Math.floor(sum / 256);
    }
    return ipAddressText(bytes);
  }
}

/** Returns the family of an address; one in the form `::ffff:10.9.8.7` is of IPv4. Undefined for anything else. */
export function ipFamilyOf(text: string): IpFamily | undefined {
  const parsed = parseIpAddress(text);
  return parsed && familyOf(parsed);
}

/** Returns the family of the network of a CIDR: `::ffff:10.9.8.0/120` is of IPv4. Undefined for anything else. */
export function ipFamilyOfCidr(text: string): IpFamily | undefined {
  const range = parseCidr(text);
  return range && familyOf(maskedIpAddress(range.address, range.prefixLength));
}

const familyOf = (address: Uint8Array): IpFamily =>
  unmappedIpAddress(address).length === 4 ? 'IPv4' : 'IPv6';

/** Returns the canonical text of an address; undefined for anything else. */
export function canonicalIpText(text: string): string | undefined {
  const parsed = parseIpAddress(text);
  return parsed && ipAddressText(unmappedIpAddress(parsed));
}
