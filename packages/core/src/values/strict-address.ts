import { goQuote } from '../text/go-text.ts';
import { ipAddressText } from './ip-address.ts';

/** An address: 4 or 16 bytes. */
export interface StrictAddress {
  readonly bytes: readonly number[];
  /** `eth0` of `fe80::1%eth0`. */
  readonly zone: string;
  /** Whether it is an IPv4 address in IPv6 form, `::ffff:1.2.3.4`. */
  readonly mapped: boolean;
}

/** A range of addresses. */
export interface StrictPrefix {
  readonly address: StrictAddress;
  readonly bits: number;
}

/**
 * Parses an address in the only notation of its family: no octet begins with a zero, as older parsers accept.
 * Returns an error message if it is invalid.
 */
export function parseStrictAddress(text: string): StrictAddress | string {
  const mark = text[text.search(/[.:%]/)];
  if (mark === '.') return parseV4(text);
  if (mark === ':') return parseV6(text);
  if (mark === '%') return failure(text, 'missing IPv6 address');
  return failure(text, 'unable to parse IP');
}

const failure = (text: string, reason: string, at?: string): string =>
  `ParseAddr(${goQuote(text)}): ${reason}${at === undefined ? '' : ` (at ${goQuote(at)})`}`;

function parseV4(text: string): StrictAddress | string {
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

function parseV6(text: string): StrictAddress | string {
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
export function parseStrictPrefix(text: string): StrictPrefix | string {
  const quoted = goQuote(text);
  const slash = text.lastIndexOf('/');
  if (slash < 0) return `netip.ParsePrefix(${quoted}): no '/'`;
  const address = parseStrictAddress(text.slice(0, slash));
  if (typeof address === 'string') return `netip.ParsePrefix(${quoted}): ${address}`;
  if (address.zone !== '') return `netip.ParsePrefix(${quoted}): IPv6 zones cannot be present in a prefix`;
  const length = text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d*)$/.test(length)) {
    return `netip.ParsePrefix(${quoted}): bad bits after slash: ${goQuote(length)}`;
  }
  if (Number(length) > address.bytes.length * 8)
    return `netip.ParsePrefix(${quoted}): prefix length out of range`;
  return { address, bits: Number(length) };
}

/** Prints an address in canonical form: `::ffff:1.2.3.4` where IPv4 is in IPv6 form. */
export function strictAddressText({ bytes, zone, mapped }: StrictAddress): string {
  const text = mapped ? `::ffff:${ipAddressText(bytes.slice(12))}` : ipAddressText(bytes);
  return zone === '' ? text : `${text}%${zone}`;
}
