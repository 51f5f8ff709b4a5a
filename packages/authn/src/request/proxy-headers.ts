import { byteStringText } from '@ashlar/codec';
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
import { extraFieldKey } from './extra-field-key.ts';

/** Options of authenticating proxies: their CAs and headers. Header names are case-insensitive. */
export interface ProxyHeaderOptions {
  /** CA certificates of proxies, in DER; one of them must be in the chain of the connection. */
  readonly authorities: readonly Uint8Array[];
  /** Common names that a proxy's certificate may have; by default all. */
  readonly allowedNames?: readonly string[];
  /** Headers with the user name; the first one with a value counts. */
  readonly usernameHeaders: readonly string[];
  /** Headers with the uid; the first one with a value counts. */
  readonly uidHeaders?: readonly string[];
  /** Headers with groups, one per field. */
  readonly groupHeaders?: readonly string[];
  /** Prefixes of headers with extra fields; the rest of the name, percent-decoded and in lower case, is the key. */
  readonly extraHeaderPrefixes?: readonly string[];
}

/**
 * Authenticates requests by the headers of a proxy that has authenticated them itself
 * (semantics/access#authentication). The proxy presents a certificate of its own CA; the headers are ignored
 * in the requests of all others.
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
  const error = new Error(
    `certificates of the common name ${goQuote(commonName)} are not allowed for proxies`,
  );
  return { outcome: 'rejected', error };
}

function authenticated(headers: RequestHeaders, options: ProxyHeaderOptions): Authentication {
  const user = readUser(headers, options);
  return user ? { outcome: 'authenticated', user } : NONE;
}

function readUser(headers: RequestHeaders, options: ProxyHeaderOptions): UserInfo | undefined {
  const name = firstValue(headers, options.usernameHeaders);
  if (name === '') return undefined;
  const uid = firstValue(headers, options.uidHeaders ?? []);
  const groups = (options.groupHeaders ?? []).flatMap((header) => headers.all(header).map(byteStringText));
  const extra = readExtra(headers, options.extraHeaderPrefixes ?? []);
  return {
    name,
    ...(uid !== '' && { uid }),
    groups: groups.filter((group) => group !== ''),
    ...(extra.size > 0 && { extra: Object.fromEntries(extra) }),
  };
}

/** The first of repeated fields counts, even if it is empty. */
function firstValue(headers: RequestHeaders, names: readonly string[]): string {
  for (const name of names) {
    const value = headers.get(name);
    if (value) return byteStringText(value);
  }
  return '';
}

function readExtra(headers: RequestHeaders, prefixes: readonly string[]): Map<string, string[]> {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixes) {
    for (const [name, value] of headers.entries()) {
      if (!name.startsWith(prefix)) continue;
      const key = extraFieldKey(name.slice(prefix.length));
      const text = byteStringText(value);
      const values = extra.get(key);
      if (values) values.push(text);
      else extra.set(key, [text]);
    }
  }
  return extra;
}
