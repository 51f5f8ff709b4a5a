import {
  type Ambient,
  type Authentication,
  type Authenticator,
  goQuote,
  type RequestHeaders,
  type UserInfo,
} from '@ashlar/core';
import { createCertificateReader } from '../certificates/verified-certificate.ts';
import { NONE } from '../tokens/token-authenticator.ts';
import { headerText, UnreadableHeaderError } from './header-text.ts';

/** Which proxies are believed, and what they say where. Names of headers in any case. */
export interface ProxyHeaderOptions {
  /** Certificates of the proxies' own authorities, in DER; one of them must be in the chain of the connection. */
  readonly authorities: readonly Uint8Array[];
  /** Common names that a proxy's certificate may have; without any every name is allowed. */
  readonly allowedNames?: readonly string[];
  /** The first one with a value names the user. */
  readonly usernameHeaders: readonly string[];
  /** The first one with a value is his uid. */
  readonly uidHeaders?: readonly string[];
  /** Each line of each of them is a group. */
  readonly groupHeaders?: readonly string[];
  /** What stands behind such a beginning, percent-decoded and in lower case, is the key of an extra field. */
  readonly extraHeaderPrefixes?: readonly string[];
}

/**
 * Authenticates requests by the headers of a proxy that has authenticated them itself (semantics/access#authentication). The proxy shows a certificate of its own authority; what anybody else writes into those headers is not
 * looked at.
 *
 * @example
 * createProxyHeaderAuthenticator(ambient, {
 *   authorities, // DER
 *   allowedNames: ['front-proxy'],
 *   usernameHeaders: ['X-Remote-User'],
 *   groupHeaders: ['X-Remote-Group'],
 * });
 */
export function createProxyHeaderAuthenticator(
  { clock }: Pick<Ambient, 'clock'>,
  options: ProxyHeaderOptions,
): Authenticator {
  const read = createCertificateReader(clock, options.authorities);
  const allowed = new Set(options.allowedNames ?? []);
  const named = { ...options, extraHeaderPrefixes: (options.extraHeaderPrefixes ?? []).map(lower) };
  return {
    authenticate({ connection, headers }): Authentication {
      const proxy = read(connection);
      if (!proxy) return NONE;
      if (proxy.outcome === 'rejected') return proxy;
      const { commonName } = proxy.certificate;
      if (allowed.size > 0 && !allowed.has(commonName)) return notAllowed(commonName);
      return authenticated(headers, named);
    },
  };
}

const lower = (text: string): string => text.toLowerCase();

function notAllowed(commonName: string): Authentication {
  const error = new Error(`certificates of the common name ${goQuote(commonName)} belong to no proxy`);
  return { outcome: 'rejected', error };
}

function authenticated(headers: RequestHeaders, options: ProxyHeaderOptions): Authentication {
  try {
    const user = readUser(headers, options);
    return user ? { outcome: 'authenticated', user } : NONE;
  } catch (error) {
    if (error instanceof UnreadableHeaderError) return { outcome: 'rejected', error };
    throw error;
  }
}

/** @throws UnreadableHeaderError */
function readUser(headers: RequestHeaders, options: ProxyHeaderOptions): UserInfo | undefined {
  const name = firstValue(headers, options.usernameHeaders);
  if (name === '') return undefined;
  const uid = firstValue(headers, options.uidHeaders ?? []);
  const groups = (options.groupHeaders ?? []).flatMap((header) =>
    headers.all(header).map((group) => headerText(header, group)),
  );
  const extra = readExtra(headers, options.extraHeaderPrefixes ?? []);
  return {
    name,
    ...(uid !== '' && { uid }),
    groups: groups.filter((group) => group !== ''),
    ...(extra.size > 0 && { extra: Object.fromEntries(extra) }),
  };
}

/** Of several lines of one name the first counts, also where it is empty. */
function firstValue(headers: RequestHeaders, names: readonly string[]): string {
  for (const name of names) {
    const value = headers.get(name);
    if (value) return headerText(name, value);
  }
  return '';
}

function readExtra(headers: RequestHeaders, prefixes: readonly string[]): Map<string, string[]> {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixes) {
    for (const [name, value] of headers.entries()) {
      if (!name.startsWith(prefix)) continue;
      const key = decoded(name.slice(prefix.length));
      const text = headerText(name, value);
      const values = extra.get(key);
      if (values) values.push(text);
      else extra.set(key, [text]);
    }
  }
  return extra;
}

/** A key with a broken escape stays as it is. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
