import { parseProxyUrl, type TransportTls, withoutTrailing } from '@ashlar/core';
import { ClientConfigurationError, type ClusterEntry } from '../configuration/client-configuration.ts';
import type { CredentialReader } from '../configuration/connection-surroundings.ts';

/** The address of a cluster's server, and how it is verified. */
export interface ClusterConnection {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly encrypted: boolean;
  readonly tls: TransportTls;
  /** URL of the proxy. */
  readonly proxy: string | undefined;
}

/**
 * @throws ClientConfigurationError if the entry is incomplete, cannot be read, or needs an unsupported
 * feature. Its URLs are not quoted: they may contain credentials
 */
export function clusterConnection(
  cluster: ClusterEntry,
  name: string,
  { readFile }: CredentialReader,
): ClusterConnection {
  try {
    const { protocol, href } = serverUrl(cluster.server);
    return {
      baseUrl: withoutTrailing(href, '/'),
      encrypted: protocol === 'https:',
      tls: clusterTls(cluster, readFile),
      proxy: proxyUrl(cluster['proxy-url']),
    };
  } catch (error) {
    throw new ClientConfigurationError(`cluster ${JSON.stringify(name)}: ${(error as Error).message}`);
  }
}

function serverUrl(server: string | undefined): URL {
  if (server === undefined) throw new Error('server is required');
  if (!URL.canParse(server)) throw new Error('its server is not a URL');
  const url = new URL(server);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new Error('its server is not an http or https URL');
  if (url.username !== '' || url.password !== '')
    throw new Error('the URL of its server must not hold credentials');
  if (url.search !== '' || url.hash !== '')
    throw new Error('the URL of its server must have neither a query nor a fragment');
  return url;
}

function proxyUrl(proxy: string | undefined): string | undefined {
  if (proxy === undefined) return undefined;
  let scheme: string;
  try {
    ({ scheme } = parseProxyUrl(proxy));
  } catch (error) {
    throw new Error(`its proxy-url ${(error as Error).message}`);
  }
  if (scheme === 'socks5h') throw new Error('its proxy-url is not an http, https or socks5 URL');
  return proxy;
}

function clusterTls(cluster: ClusterEntry, readFile: CredentialReader['readFile']): TransportTls {
  const { 'certificate-authority': file, 'tls-server-name': serverName, origin } = cluster;
  const insecure = cluster['insecure-skip-tls-verify'];
  const certificateAuthorities =
    cluster['certificate-authority-data'] ?? (file === undefined ? undefined : readFile(file, origin));
  if (insecure && certificateAuthorities !== undefined)
    throw new Error('it has a certificate-authority, which insecure-skip-tls-verify would pass over');
  return {
    ...(certificateAuthorities !== undefined && { certificateAuthorities }),
    ...(serverName !== undefined && { serverName }),
    ...(insecure && { insecure }),
  };
}
