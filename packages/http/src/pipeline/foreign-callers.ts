import { type ServerRequest, StatusError } from '@ashlar/core';

/** Further names and pages through which anonymous callers may come; `*` stands for all. */
export interface AnonymousOrigins {
  /** Names of hosts without a port, such as `api.example.org`: what a `Host` header may say beside the server's own. */
  readonly hosts?: readonly string[];
  /** Origins of web pages, such as `https://app.example.org`: what an `Origin` header may say beside the server's own. */
  readonly origins?: readonly string[];
}

/** Looks where an anonymous caller comes from. @throws StatusError 403 */
export type ForeignCallerCheck = (request: ServerRequest) => void;

/**
 * Keeps web pages of others from speaking through the browser of somebody who can reach a server that asks nobody who he is. A page
 * of another origin is told by its `Origin` header, which a browser sends with a WebSocket and with all that changes something; one whose
 * name has been made to lead to the server (DNS rebinding) by the `Host` header, which then names that page's host. Clients that are no
 * browsers send no `Origin`, and the address that they connect to as `Host`.
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
/** Who listens everywhere is reached at every address of the machine. */
const EVERYWHERE = ['0.0.0.0', '::'];

/** A page has the name under which it was reached: an address cannot be made to lead elsewhere. */
function isBound(name: string, ownHosts: readonly string[]): boolean {
  return isAddress(name) && EVERYWHERE.some((address) => ownHosts.includes(address));
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (name.startsWith('127.') && isAddress(name));
}

/** Whether a name is an address: version 4 in four numbers, version 6 by its colons. */
function isAddress(name: string): boolean {
  return name.includes(':') || /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name);
}

/** What stands before the port, without the brackets of an address of version 6. */
function withoutPort(host: string): string {
  if (host.startsWith('[')) return host.slice(1, host.indexOf(']'));
  const colon = host.indexOf(':');
  return colon < 0 ? host : host.slice(0, colon);
}

/** Host and port of an origin; `null`, which pages without a name send, has none. */
function authorityOf(origin: string): string | undefined {
  const at = origin.indexOf('://');
  return at < 0 ? undefined : origin.slice(at + 3);
}

function foreignHost(host: string): StatusError {
  const why = `the server asks nobody who he is, and answers as localhost, as a loopback address and as what it listens on, not as ${quoted(host)}; its operator may allow the host`;
  return StatusError.forbidden(undefined, '', why);
}

function foreignOrigin(origin: string): StatusError {
  const why = `the server asks nobody who he is, and does not answer web pages of ${quoted(origin)}; its operator may allow the origin`;
  return StatusError.forbidden(undefined, '', why);
}

const QUOTED = 200;
const quoted = (text: string): string =>
  JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);
