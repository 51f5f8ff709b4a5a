import { ipAddressText, parseIpAddress, type ServerRequest, type Steps } from '@ashlar/core';

/**
 * Returns the addresses that a request came through, as far as they are known: what proxies say, then the peer, who is not repeated
 * (semantics/requests#audit). What is no address is left out, and what stands beyond the first 16 KiB of a header.
 */
export function* sourceAddresses({ headers, connection }: ServerRequest): Steps<readonly string[]> {
  const addresses: string[] = [];
  for (const [index, text] of listOf(headers.get('x-forwarded-for') ?? '').entries()) {
    addresses.push(...addressOf(text));
    if (index % ADDRESSES_PER_STEP === ADDRESSES_PER_STEP - 1) yield;
  }
  const [real] = addressOf(headers.get('x-real-ip') ?? '');
  if (real !== undefined && !addresses.includes(real)) addresses.push(real);
  const [peer] = addressOf(connection.remoteAddress ?? '');
  if (peer !== undefined && addresses.at(-1) !== peer) addresses.push(peer);
  return addresses;
}

/** Characters of a list that are read: anyone may send a long one. */
const MAXIMUM_LIST = 16_384;
/** Addresses that are read between two pauses. */
const ADDRESSES_PER_STEP = 64;
/** Longer texts are no address. */
const MAXIMUM_ADDRESS = 64;

function listOf(text: string): readonly string[] {
  const parts = text.slice(0, MAXIMUM_LIST).split(',');
  // the last may be part of an address
  return text.length > MAXIMUM_LIST ? parts.slice(0, -1) : parts;
}

/** The address of a text in its canonical form, or nothing. */
function addressOf(text: string): readonly [string] | readonly [] {
  const trimmed = text.trim();
  const bytes = trimmed.length <= MAXIMUM_ADDRESS ? parseIpAddress(trimmed) : undefined;
  if (!bytes) return [];
  const isMapped = bytes.length === 16 && MAPPED.every((byte, index) => bytes[index] === byte);
  return [ipAddressText(isMapped ? bytes.subarray(MAPPED.length) : bytes)];
}

/** How addresses of IPv4 begin that are written as those of IPv6 (RFC 4291 section 2.5.5.2). */
const MAPPED: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
