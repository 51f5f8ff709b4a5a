import { ipAddressText } from '@ashlar/core';
import { type CelType, types } from '../check/types.ts';
import { work } from '../cost/work.ts';
import { Opaque } from './values.ts';

/** The type of {@link IpValue}. */
export const ipType: CelType = { ...types.abstract('net.IP'), comparison: { min: 1n, max: 1n } };
/** The type of {@link CidrValue}. */
export const cidrType: CelType = { ...types.abstract('net.CIDR'), comparison: { min: 1n, max: 1n } };

/** An address: 4 or 16 bytes. */
export interface IpAddress {
  readonly bytes: readonly number[];
  /** `eth0` of `fe80::1%eth0`. */
  readonly zone: string;
  /** Whether it is an IPv4 address in IPv6 form, `::ffff:1.2.3.4`. */
  readonly mapped: boolean;
}

/** A range of addresses. */
export interface IpPrefix {
  readonly address: IpAddress;
  readonly bits: number;
}

/** Steps of parsing a text, which errors quote. */
const STEPS_OF_PARSING = 200;
const STEPS_PER_CHARACTER = 10;

/** Parses an address; returns an error message if it is invalid. */
export function parseIpAddress(text: string): IpAddress | string {
  work(STEPS_OF_PARSING + text.length * STEPS_PER_CHARACTER);
  const mark = text[text.search(/[.:%]/)];
  if (mark === '.') return parseV4(text);
  if (mark === ':') return parseV6(text);
  if (mark === '%') return failure(text, 'missing IPv6 address');
  return failure(text, 'unable to parse IP');
}

const failure = (text: string, reason: string, at?: string): string =>
  `ParseAddr(${JSON.stringify(text)}): ${reason}${at === undefined ? '' : ` (at ${JSON.stringify(at)})`}`;

function parseV4(text: string): IpAddress | string {
  const bytes = v4Bytes(text);
  if (Array.isArray(bytes)) return { bytes, zone: '', mapped: false };
  return typeof bytes === 'string' ? failure(text, bytes) : failure(text, bytes.reason, bytes.at);
}

function v4Bytes(text: string): number[] | string | { reason: string; at: string } {
  const bytes: number[] = [];
  let digits = '';
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (/\d/.test(character)) {
      if (digits === '0') return 'IPv4 field has octet with leading zero';
      digits += character;
      if (Number(digits) > 255) return 'IPv4 field has value >255';
    } else if (character !== '.') {
      return { reason: 'unexpected character', at: text.slice(i) };
    } else {
      if (digits === '' || i === text.length - 1)
        return { reason: 'IPv4 field must have at least one digit', at: text.slice(i) };
      if (bytes.length === 3) return 'IPv4 address too long';
      bytes.push(Number(digits));
      digits = '';
    }
  }
  if (bytes.length < 3) return 'IPv4 address too short';
  bytes.push(Number(digits));
  return bytes;
}

function parseV6(text: string): IpAddress | string {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') return failure(text, 'zone must be a non-empty string');
  const body = percent < 0 ? text : text.slice(0, percent);
  const bytes = v6Bytes(text, body);
  if (typeof bytes === 'string') return bytes;
  const mapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return { bytes, zone, mapped };
}

function v6Bytes(text: string, body: string): number[] | string {
  const bytes: number[] = [];
  let ellipsis = -1;
  let rest = body;
  if (rest.startsWith('::')) {
    ellipsis = 0;
    rest = rest.slice(2);
    if (rest === '') return new Array(16).fill(0);
  }
  while (bytes.length < 16) {
    const field = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (field.length > 4) return failure(text, 'each group must have 4 or less digits', rest);
    if (field === '') return failure(text, 'each colon-separated field must have at least one digit', rest);
    if (rest[field.length] === '.') return withV4(text, rest, bytes, ellipsis);
    const value = Number.parseInt(field, 16);
    bytes.push(value >> 8, value & 255);
    rest = rest.slice(field.length);
    if (rest === '') break;
    if (rest[0] !== ':') return failure(text, 'unexpected character, want colon', rest);
    if (rest.length === 1) return failure(text, 'colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest[0] === ':') {
      if (ellipsis >= 0) return failure(text, 'multiple :: in address', rest);
      ellipsis = bytes.length;
      rest = rest.slice(1);
      if (rest === '') break;
    }
  }
  if (rest !== '') return failure(text, 'trailing garbage after address', rest);
  return expanded(text, bytes, ellipsis);
}

function withV4(text: string, rest: string, bytes: number[], ellipsis: number): number[] | string {
  if (ellipsis < 0 && bytes.length !== 12)
    return failure(text, 'embedded IPv4 address must replace the final 2 fields of the address', rest);
  if (bytes.length + 4 > 16)
    return failure(text, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  const last = v4Bytes(rest);
  if (!Array.isArray(last))
    return failure(
      text,
      typeof last === 'string' ? last : last.reason,
      typeof last === 'string' ? rest : last.at,
    );
  return expanded(text, [...bytes, ...last], ellipsis);
}

function expanded(text: string, bytes: readonly number[], ellipsis: number): number[] | string {
  if (bytes.length === 16)
    return ellipsis < 0 ? [...bytes] : failure(text, 'the :: must expand to at least one field of zeros');
  if (ellipsis < 0) return failure(text, 'address string too short');
  const zeros: number[] = new Array(16 - bytes.length).fill(0);
  return [...bytes.slice(0, ellipsis), ...zeros, ...bytes.slice(ellipsis)];
}

/** Parses a range such as `10.0.0.0/8`; returns an error message if it is invalid. */
export function parsePrefix(text: string): IpPrefix | string {
  work(text.length * STEPS_PER_CHARACTER);
  const quoted = JSON.stringify(text);
  const slash = text.lastIndexOf('/');
  if (slash < 0) return `netip.ParsePrefix(${quoted}): no '/'`;
  const address = parseIpAddress(text.slice(0, slash));
  if (typeof address === 'string') return `netip.ParsePrefix(${quoted}): ${address}`;
  if (address.zone !== '') return `netip.ParsePrefix(${quoted}): IPv6 zones cannot be present in a prefix`;
  const length = text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d*)$/.test(length)) {
    return `netip.ParsePrefix(${quoted}): bad bits after slash: ${JSON.stringify(length)}`;
  }
  if (Number(length) > address.bytes.length * 8)
    return `netip.ParsePrefix(${quoted}): prefix length out of range`;
  return { address, bits: Number(length) };
}

/** Prints an address in canonical form. */
function addressText({ bytes }: IpAddress): string {
  return ipAddressText(bytes);
}

/** An IP address. */
export class IpValue extends Opaque {
  readonly address: IpAddress;
  constructor(address: IpAddress) {
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
  readonly prefix: IpPrefix;
  constructor(prefix: IpPrefix) {
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
  contains(address: IpAddress): boolean {
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
