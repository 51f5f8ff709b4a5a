import { BlockList, isIP } from 'node:net';
import { domainToASCII, urlToHttpOptions } from 'node:url';
import { ClientConfigurationError } from '@ashlar/client';
import { parseProxyUrl } from '@ashlar/core';
import type { Environment } from './environment.ts';

/**
 * The proxy that the environment names for a server: `HTTPS_PROXY` or `HTTP_PROXY` by the scheme of its URL,
 * in upper or lower case, unless `NO_PROXY` excludes it. A server of this machine is reached without one, as
 * by kubectl.
 *
 * `NO_PROXY` is a comma-separated list of `*` for all, addresses, networks (`10.0.0.0/8`), names, which
 * include their subdomains, and `.names`, which are only their subdomains; names and addresses may have a
 * port.
 *
 * @returns URL of the proxy, undefined if there is none
 * @throws ClientConfigurationError that names the variable, if it is not the URL of a proxy. The message does
 * not contain its value
 */
export function proxyFromEnvironment(environment: Environment, server: string): string | undefined {
  const { protocol, hostname, port } = urlToHttpOptions(new URL(server));
  const encrypted = protocol === 'https:';
  const variable = encrypted ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = valueOfAnyCase(environment, variable);
  const host = (hostname as string).replace(/\.$/, '').toLowerCase();
  if (proxy === undefined || isOwn(host)) return undefined;
  const excepted = valueOfAnyCase(environment, 'NO_PROXY')?.split(',') ?? [];
  const place = { host, port: Number(port || (encrypted ? 443 : 80)) };
  if (excepted.some((entry) => isExcepted(entry.trim().toLowerCase(), place))) return undefined;
  return proxyUrl(variable, proxy);
}

interface Place {
  readonly host: string;
  readonly port: number;
}

const valueOfAnyCase = (environment: Environment, name: string): string | undefined =>
  environment[name] || environment[name.toLowerCase()] || undefined;

/** Without a scheme it is an http proxy. */
function proxyUrl(variable: string, value: string): string {
  const url = value.includes('://') ? value : `http://${value}`;
  try {
    parseProxyUrl(url);
  } catch (error) {
    throw new ClientConfigurationError(`${variable} ${(error as Error).message}`);
  }
  return url;
}

const isOwn = (host: string): boolean => host === 'localhost' || (isIP(host) !== 0 && contains(OWN, host));

const OWN = new BlockList();
OWN.addSubnet('127.0.0.0', 8, 'ipv4');
OWN.addAddress('::1', 'ipv6');

const contains = (list: BlockList, address: string): boolean =>
  list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

function isExcepted(entry: string, { host, port }: Place): boolean {
  if (entry === '*') return true;
  if (isIP(host) !== 0 && entry.includes('/')) return isInNetwork(host, entry);
  const { name, port: only } = partsOf(entry);
  if (only !== undefined && only !== port) return false;
  if (isIP(name) !== 0) return isIP(host) !== 0 && isInNetwork(host, name);
  const [, dot = '', domain = ''] = /^\*?(\.?)(.*)$/.exec(name) ?? [];
  const ascii = domainToASCII(domain);
  if (ascii === '') return false;
  return host.endsWith(`.${ascii}`) || (dot === '' && host === ascii);
}

/** `name`, `name:port`, `[address]:port` or an address. */
function partsOf(entry: string): { readonly name: string; readonly port: number | undefined } {
  if (isIP(entry) !== 0) return { name: entry, port: undefined };
  const [, bracketed, plain = '', port = ''] = /^(?:\[(.*)\]|([^:]*))(?::(\d*))?$/.exec(entry) ?? [];
  return { name: bracketed ?? plain, port: port === '' ? undefined : Number(port) };
}

/** A network, or a single address. Invalid ones match nothing. */
function isInNetwork(host: string, network: string): boolean {
  const [address = '', length] = network.split('/');
  const version = isIP(address);
  const longest = version === 6 ? 128 : 32;
  const prefix = length === undefined ? longest : Number(length);
  if (version === 0 || !/^\d*$/.test(length ?? '') || length === '' || prefix > longest) return false;
  const list = new BlockList();
  list.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4');
  return contains(list, host);
}
