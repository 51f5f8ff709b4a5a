/** A proxy that carries connections to servers, as its URL says. */
export interface ProxyAddress {
  readonly scheme: 'http' | 'https' | 'socks5' | 'socks5h';
  /** A name or an address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Credentials; undefined if there are none. */
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
}

const DEFAULT_PORTS: Readonly<Record<ProxyAddress['scheme'], number>> = {
  http: 80,
  https: 443,
  socks5: 1080,
  socks5h: 1080,
};

/** Maximum size of a user name and of a password in SOCKS, in bytes (RFC 1929). */
const MAXIMUM_SOCKS_CREDENTIAL_BYTES = 255;

/**
 * Parses the URL of a proxy.
 * @throws Error to be printed after the name of the field. Nothing of the URL is quoted: it may contain
 * credentials
 * @example
 * parseProxyUrl('socks5://al:secret@proxy'); // { scheme: 'socks5', host: 'proxy', port: 1080, credentials: {
 * user: 'al', … } }
 */
export function parseProxyUrl(text: string): ProxyAddress {
  if (!URL.canParse(text)) throw new Error('is not a URL');
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  if (!isKnown(scheme)) throw new Error('is not an http, https or socks5 URL');
  if (url.hostname === '') throw new Error('names no host');
  const credentials = credentialsOf(url);
  if (scheme.startsWith('socks') && credentials) requireShort(credentials);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { scheme, host, port: url.port === '' ? DEFAULT_PORTS[scheme] : Number(url.port), credentials };
}

const isKnown = (scheme: string): scheme is ProxyAddress['scheme'] => Object.hasOwn(DEFAULT_PORTS, scheme);

function credentialsOf({ username, password }: URL): ProxyAddress['credentials'] {
  if (username === '' && password === '') return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw new Error('has a user or a password with a broken escape');
  }
}

function requireShort(credentials: NonNullable<ProxyAddress['credentials']>): void {
  for (const part of Object.values(credentials))
    if (new TextEncoder().encode(part).length > MAXIMUM_SOCKS_CREDENTIAL_BYTES)
      throw new Error(
        `has a user or a password of more than ${MAXIMUM_SOCKS_CREDENTIAL_BYTES} bytes, which SOCKS cannot carry`,
      );
}
