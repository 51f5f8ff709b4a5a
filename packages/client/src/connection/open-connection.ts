import type { ClientConfiguration } from '../configuration/client-configuration.ts';
import { type ConnectionSurroundings, readerOf } from '../configuration/connection-surroundings.ts';
import { selectContext } from '../configuration/select-context.ts';
import { clusterConnection } from './cluster-connection.ts';
import type { ConnectionOptions } from './connection.ts';
import { createCredentialTransport } from './credential-transport.ts';
import type { CredentialSource } from './credentials.ts';
import { impersonationHeaders } from './impersonation-headers.ts';
import { userCredentials } from './user-credentials.ts';

/** A connection for `createClient`. */
export interface ConfiguredConnection extends ConnectionOptions {
  /** That of the context; `default` by default. */
  readonly namespace: string;
}

/**
 * Opens the connection of a context. Over plain HTTP no credentials are sent, only impersonation headers.
 *
 * @param context instead of the current one
 * @throws ClientConfigurationError if the context cannot be used
 * @example
 * const configuration = parseClientConfiguration(bytes, 'config');
 * const client = createClient(openConnection(configuration, { ambient, transport }));
 */
export function openConnection(
  configuration: ClientConfiguration,
  surroundings: ConnectionSurroundings,
  context?: string,
): ConfiguredConnection {
  const selected = selectContext(configuration, context);
  const { cluster, clusterName, user, userName, namespace } = selected;
  const { ambient, transport } = surroundings;
  const server = clusterConnection(cluster, clusterName, readerOf(surroundings));
  const { baseUrl, encrypted, tls } = server;
  const proxy = server.proxy ?? surroundings.proxyOf?.(baseUrl);
  const { certificateAuthorities } = tls;
  const source =
    user && encrypted ? userCredentials({ ...selected, user, certificateAuthorities }, surroundings) : NOBODY;
  const headers = user ? impersonationHeaders(user, userName) : {};
  return {
    ...{ ambient, baseUrl, namespace },
    transport: createCredentialTransport({
      transport,
      source,
      headers,
      tls,
      ...(proxy !== undefined && { proxy }),
    }),
  };
}

const NOBODY: CredentialSource = { current: () => ({}), reject: () => {} };
