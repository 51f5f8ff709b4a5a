import {
  ipAddressText,
  parseStrictAddress,
  parseStrictPrefix,
  type StrictAddress,
  type StrictPrefix,
} from '@ashlar/core';
import { type CelType, types } from '../check/types.ts';
import { work } from '../cost/work.ts';
import { Opaque } from './values.ts';

/** The type of {@link IpValue}. */
export const ipType: CelType = { ...types.abstract('net.IP'), comparison: { min: 1n, max: 1n } };
/** The type of {@link CidrValue}. */
export const cidrType: CelType = { ...types.abstract('net.CIDR'), comparison: { min: 1n, max: 1n } };

/** Steps of parsing a text, which errors quote. */
const STEPS_OF_PARSING = 200;
const STEPS_PER_CHARACTER = 10;

/** Parses an address; returns an error message if it is invalid. */
export function parseIpAddress(text: string): StrictAddress | string {
  work(STEPS_OF_PARSING + text.length * STEPS_PER_CHARACTER);
  return parseStrictAddress(text);
}

/** Parses a range such as `10.0.0.0/8`; returns an error message if it is invalid. */
export function parsePrefix(text: string): StrictPrefix | string {
  work(STEPS_OF_PARSING + 2 * text.length * STEPS_PER_CHARACTER);
  return parseStrictPrefix(text);
}

/** Prints an address in canonical form. */
function addressText({ bytes }: StrictAddress): string {
  return ipAddressText(bytes);
}

/** An IP address. */
export class IpValue extends Opaque {
  readonly address: StrictAddress;
  constructor(address: StrictAddress) {
    super();
    this.address = address;
  }
  get type(): CelType {
    return ipType;
  }
  get text(): string {
    return addressText(this.address);
  }
  override get size(): number {
    return this.address.bytes.length;
  }
  equals(other: Opaque): boolean {
    return other instanceof IpValue && other.text === this.text;
  }
  get #first(): number {
    return this.address.bytes[0] as number;
  }
  get #second(): number {
    return this.address.bytes[1] as number;
  }
  get #isV4(): boolean {
    return this.address.bytes.length === 4;
  }
  get isUnspecified(): boolean {
    return this.address.bytes.every((byte) => byte === 0);
  }
  get isLoopback(): boolean {
    return this.#isV4 ? this.#first === 127 : this.text === '::1';
  }
  get #isMulticast(): boolean {
    return this.#isV4 ? (this.#first & 0xf0) === 0xe0 : this.#first === 0xff;
  }
  get isLinkLocalMulticast(): boolean {
    if (this.#isV4) return this.#first === 224 && this.#second === 0 && this.address.bytes[2] === 0;
    return this.#first === 0xff && (this.#second & 0x0f) === 0x02;
  }
  get isLinkLocalUnicast(): boolean {
    return this.#isV4
      ? this.#first === 169 && this.#second === 254
      : this.#first === 0xfe && (this.#second & 0xc0) === 0x80;
  }
  get isGlobalUnicast(): boolean {
    const broadcast = this.#isV4 && this.address.bytes.every((byte) => byte === 255);
    return (
      !broadcast && !this.isUnspecified && !this.isLoopback && !this.#isMulticast && !this.isLinkLocalUnicast
    );
  }
}

/** A range of IP addresses. */
export class CidrValue extends Opaque {
  readonly prefix: StrictPrefix;
  constructor(prefix: StrictPrefix) {
    super();
    this.prefix = prefix;
  }
  get type(): CelType {
    return cidrType;
  }
  get text(): string {
    return `${addressText(this.prefix.address)}/${this.prefix.bits}`;
  }
  override get size(): number {
    return Math.ceil(this.prefix.bits / 8);
  }
  equals(other: Opaque): boolean {
    return other instanceof CidrValue && other.text === this.text;
  }
  /** The range with all bits after the prefix zero. */
  masked(): CidrValue {
    const bytes = this.prefix.address.bytes.map((byte, i) => byte & maskByte(this.prefix.bits, i));
    return new CidrValue({ address: { ...this.prefix.address, bytes }, bits: this.prefix.bits });
  }
  /** Whether the range contains the address. */
  contains(address: StrictAddress): boolean {
    const own = this.prefix.address.bytes;
    if (own.length !== address.bytes.length) return false;
    return own.every(
      (byte, i) => ((byte ^ (address.bytes[i] as number)) & maskByte(this.prefix.bits, i)) === 0,
    );
  }
  /** Whether this range contains the other. */
  containsRange(other: CidrValue): boolean {
    return this.prefix.bits <= other.prefix.bits && this.contains(other.prefix.address);
  }
}

const maskByte = (bits: number, index: number): number =>
  (0xff00 >> Math.min(8, Math.max(0, bits - index * 8))) & 0xff;
