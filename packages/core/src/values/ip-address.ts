/** Parses the number at the start of a string: digits of the base, value below 0xffffff. */
function leadingNumber(text: string, base: 10 | 16): { value: number; length: number } | undefined {
  const digits = (base === 10 ? /^[0-9]+/ : /^[0-9a-fA-F]+/).exec(text)?.[0];
  if (digits === undefined) return undefined;
  const significant = digits.replace(/^0+/, '');
  if (significant.length > 8) return undefined;
  const value = significant === '' ? 0 : Number.parseInt(significant, base);
  return value < 0xffffff ? { value, length: digits.length } : undefined;
}

const DOT = 0x2e;

/** Lists of addresses are long: no part of one is cut out. */
function parseIpv4(text: string): number[] | undefined {
  const bytes: number[] = [];
  let value: number | undefined;
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : DOT;
    if (code === DOT) {
      if (value === undefined || bytes.push(value) > 4) return undefined;
      value = undefined;
      continue;
    }
    const digit = code - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    value = (value ?? 0) * 10 + digit;
    if (value > 255) return undefined;
  }
  return bytes.length === 4 ? bytes : undefined;
}

/** The 16-bit groups of one side of `::`; a dotted IPv4 address may replace the last two. */
function parseGroups(text: string, isLast: boolean): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  // one more than there can be
  const parts = text.split(':', 9);
  if (parts.length > 8) return undefined;
  for (const [index, part] of parts.entries()) {
    const number = leadingNumber(part, 16);
    if (!number || number.value > 0xffff) return undefined;
    if (number.length === part.length) groups.push(number.value);
    else {
      const ipv4 = isLast && index === parts.length - 1 ? parseIpv4(part) : undefined;
      if (!ipv4) return undefined;
      const [a, b, c, d] = ipv4 as [number, number, number, number];
      groups.push(a * 256 + b, c * 256 + d);
    }
  }
  return groups;
}

function parseIpv6(text: string): number[] | undefined {
  const sides = text.split('::', 3);
  if (sides.length > 2) return undefined;
  const left = parseGroups(sides[0] as string, sides.length === 1);
  const right = sides.length === 1 ? [] : parseGroups(sides[1] as string, true);
  if (!left || !right) return undefined;
  const missing = 8 - left.length - right.length;
  if (sides.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const groups = [...left, ...new Array<number>(missing).fill(0), ...right];
  return groups.flatMap((group) => [group >> 8, group & 0xff]);
}

/**
 * Parses an IP address: 4 bytes for IPv4, 16 for IPv6; undefined for anything else. Leading zeros are
 * tolerated in IPv4, as decimal digits: stored objects contain such addresses. Zones are rejected.
 *
 * @example parseIpAddress('10.9.8.7') // Uint8Array [10, 9, 8, 7]
 */
export function parseIpAddress(text: string): Uint8Array | undefined {
  const separator = /[.:]/.exec(text)?.[0];
  const bytes = separator === '.' ? parseIpv4(text) : separator === ':' ? parseIpv6(text) : undefined;
  return bytes && Uint8Array.from(bytes);
}

const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/** The 4 bytes of an IPv4 address in the form `::ffff:10.9.8.7` (RFC 4291, section 2.5.5.2), which counts as IPv4; others stay as they are. */
export function unmappedIpAddress(address: Uint8Array): Uint8Array {
  return address.length === 16 && MAPPED.every((byte, i) => address[i] === byte)
    ? address.subarray(12)
    : address;
}

/** An address with the bits after a prefix cleared. */
export function maskedIpAddress(address: Uint8Array, prefixLength: number): Uint8Array {
  return address.map((byte, i) => byte & (0xff00 >> Math.min(8, Math.max(0, prefixLength - i * 8))) & 0xff);
}

/** Parses an address and a prefix length: `10.9.8.0/24`; undefined for anything else. */
export function parseCidr(
  text: string,
): { readonly address: Uint8Array; readonly prefixLength: number } | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const address = parseIpAddress(text.slice(0, slash));
  const suffix = text.slice(slash + 1);
  const length = leadingNumber(suffix, 10);
  if (!address || !length || length.length !== suffix.length || length.value > address.length * 8)
    return undefined;
  return { address, prefixLength: length.value };
}

/**
 * Prints an address of 4 or 16 bytes in canonical form (RFC 5952).
 * @example ipAddressText([10, 9, 8, 7]) // '10.9.8.7'
 */
export function ipAddressText(bytes: ArrayLike<number>): string {
  if (bytes.length === 4) return Array.from(bytes).join('.');
  const fields: string[] = [];
  for (let i = 0; i < 16; i += 2)
    fields.push((((bytes[i] as number) << 8) | (bytes[i + 1] as number)).toString(16));
  const gap = longestZeros(fields);
  if (!gap) return fields.join(':');
  return `${fields.slice(0, gap.start).join(':')}::${fields.slice(gap.end).join(':')}`;
}

/** The first of the longest runs of zero fields, at least two of them. */
function longestZeros(fields: readonly string[]): { start: number; end: number } | undefined {
  let best: { start: number; end: number } | undefined;
  for (let start = 0; start < fields.length; start++) {
    let end = start;
    while (fields[end] === '0') end++;
    if (end - start >= 2 && (!best || end - start > best.end - best.start)) best = { start, end };
    if (end > start) start = end;
  }
  return best;
}
