import { ipAddressText, parseIpAddress, type ServerRequest } from '@ashlar/core';

/**
 * Returns the addresses that a request came through, as far as they are known: what proxies say, then the peer, who is not repeated
 * (semantics/requests#audit). What is no address is left out.
 */
export function sourceAddresses({ headers, connection }: ServerRequest): readonly string[] {
  const addresses = (headers.get('x-forwarded-for') ?? '').split(',').flatMap(addressOf);
  const [real] = addressOf(headers.get('x-real-ip') ?? '');
  if (real !== undefined && !addresses.includes(real)) addresses.push(real);
  const [peer] = addressOf(connection.remoteAddress ?? '');
  if (peer !== undefined && addresses.at(-1) !== peer) addresses.push(peer);
  return addresses;
}

/** The address of a text in its canonical form, or nothing. */
function addressOf(text: string): readonly [string] | readonly [] {
  const bytes = parseIpAddress(text.trim());
  if (!bytes) return [];
  const isMapped = bytes.length === 16 && MAPPED.every((byte, index) => bytes[index] === byte);
  return [ipAddressText(isMapped ? bytes.subarray(MAPPED.length) : bytes)];
}

/** How addresses of IPv4 begin that are written as those of IPv6 (RFC 4291 section 2.5.5.2). */
const MAPPED: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
