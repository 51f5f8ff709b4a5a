import { type ServerRequest, StatusError } from '@ashlar/core';

/** Additional hosts and origins from which anonymous requests are accepted; `*` matches all. */
export interface AnonymousOrigins {
  /** Host names without a port, such as `api.example.org`, accepted in a `Host` header besides the server's own. */
  readonly hosts?: readonly string[];
  /** Origins of web pages, such as `https://app.example.org`, accepted in an `Origin` header besides the server's own. */
  readonly origins?: readonly string[];
}

/** Checks where an anonymous request comes from. @throws StatusError 403 */
export type ForeignCallerCheck = (request: ServerRequest) => void;

/**
 * Creates a check that prevents foreign web pages from calling a server without authentication through the browser of a user who can
 * reach it. A page of another origin is recognized by its `Origin` header, which browsers send with WebSockets and with all requests
 * that write; a page whose host name resolves to the server (DNS rebinding) by the `Host` header, which then contains that page's
 * host. Clients other than browsers send no `Origin`, and the address that they connect to as `Host`.
 */
export function createForeignCallerCheck({ hosts = [], origins = [] }: AnonymousOrigins): ForeignCallerCheck {
  const allowedHosts = new Set(hosts.map((host) => host.toLowerCase()));
  const allowedOrigins = new Set(origins.map((origin) => origin.toLowerCase()));
  return ({ headers, connection }) => {
    const host = headers.get('host')?.toLowerCase();
    const isOwn = host === undefined || allowedHosts.has('*') || isOwnHost(host);
    if (!isOwn) throw foreignHost(host);
    for (const origin of headers.all('origin')) {
      const sent = origin.toLowerCase();
      if (!allowedOrigins.has('*') && !allowedOrigins.has(sent) && authorityOf(sent) !== host)
        throw foreignOrigin(origin);
    }

    function isOwnHost(named: string): boolean {
      const { ownHosts = NONE } = connection;
      if (ownHosts === 'any') return true;
      const name = withoutPort(named);
      return isLoopback(name) || ownHosts.includes(name) || allowedHosts.has(name) || isBound(name, ownHosts);
    }
  };
}

const NONE: readonly string[] = [];
/** A server that listens on these is reachable at every address of the machine. */
const EVERYWHERE = ['0.0.0.0', '::'];

/** IP addresses are safe where the server listens on all interfaces: DNS rebinding needs a host name. */
function isBound(name: string, ownHosts: readonly string[]): boolean {
  return isAddress(name) && EVERYWHERE.some((address) => ownHosts.includes(address));
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (name.startsWith('127.') && isAddress(name));
}

/** Whether a name is an IP address: version 4 by its four numbers, version 6 by its colons. */
function isAddress(name: string): boolean {
  return name.includes(':') || /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name);
}

/** Returns the host without the port, and without the brackets of an IPv6 address. */
function withoutPort(host: string): string {
  if (host.startsWith('[')) return host.slice(1, host.indexOf(']'));
  const colon = host.indexOf(':');
  return colon < 0 ? host : host.slice(0, colon);
}

/** Returns host and port of an origin; `null`, the opaque origin, has none. */
function authorityOf(origin: string): string | undefined {
  const at = origin.indexOf('://');
  return at < 0 ? undefined : origin.slice(at + 3);
}

function foreignHost(host: string): StatusError {
  const why = `authentication is not enabled: the server accepts the hosts localhost, loopback addresses and those on which it listens, not ${quoted(host)}; its operator can allow the host`;
  return StatusError.forbidden(undefined, '', why);
}

function foreignOrigin(origin: string): StatusError {
  const why = `authentication is not enabled: the server does not accept requests of web pages of ${quoted(origin)}; its operator can allow the origin`;
  return StatusError.forbidden(undefined, '', why);
}

const QUOTED = 200;
const quoted = (text: string): string =>
  JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);
