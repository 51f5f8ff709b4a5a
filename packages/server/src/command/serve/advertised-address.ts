import { networkInterfaces } from 'node:os';
import { parseIpAddress } from '@ashlar/core';
import type { ServeFlags } from '../flags/serve-flags.ts';

/** Where programs of the cluster reach the server. */
export class AdvertisedAddress {
  /** IP address; undefined if this machine has none but loopback addresses. */
  readonly host: string | undefined;
  /** Port of the listener, once it is open. */
  port = 0;

  constructor(flags: ServeFlags) {
    this.host = advertisedAddressOf(flags);
  }

  /** `host:port` for clients; without a host or an open listener empty. */
  get hostAndPort(): string {
    if (this.host === undefined || this.port === 0) return '';
    return this.host.includes(':') ? `[${this.host}]:${this.port}` : `${this.host}:${this.port}`;
  }

  /** @param url that of the listener */
  listenAt(url: string): void {
    this.port = Number(new URL(url).port || 443);
  }
}

/**
 * Returns the IP address at which programs of the cluster reach the server: that of --advertise-address, or that of the listener, or the first
 * one of this machine; undefined if it has none but loopback addresses.
 */
export function advertisedAddressOf(flags: ServeFlags): string | undefined {
  const configured = flags['advertise-address'] ?? flags['bind-address'];
  if (configured !== undefined && isReachable(configured)) return configured;
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return own.find(({ family, address }) => family === 'IPv4' && isReachable(address))?.address;
}

/** Whether an IP address means this machine to others: not a name, not loopback, link-local or unspecified. */
function isReachable(address: string): boolean {
  const bytes = parseIpAddress(address);
  if (!bytes) return false;
  const [first = 0, second = 0] = bytes;
  if (bytes.length === 4) return first !== 0 && first !== 127 && !(first === 169 && second === 254);
  const isLow = bytes.subarray(0, 15).every((byte) => byte === 0);
  return !isLow && !(first === 0xfe && (second & 0xc0) === 0x80);
}
