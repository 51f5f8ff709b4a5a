import type { Transport } from '@ashlar/core';
import { type ClientConfiguration, ClientConfigurationError } from '../configuration/client-configuration.ts';
import type { ConnectionSurroundings } from '../configuration/connection-surroundings.ts';
import { createCredentialTransport } from './credential-transport.ts';
import { impersonationHeaders } from './impersonation-headers.ts';
import { userCredentials } from './user-credentials.ts';

/**
 * A transport that authenticates as a user of a configuration at any server, without the addresses and certificate authorities of its
 * clusters. It shows credentials to every server that it is used for.
 *
 * @throws ClientConfigurationError if there is no such user, or its credentials cannot be used
 */
export function openUserTransport(
  { users }: ClientConfiguration,
  userName: string,
  surroundings: ConnectionSurroundings,
): Transport {
  const user = users.get(userName);
  if (!user) throw new ClientConfigurationError(`there is no user ${JSON.stringify(userName)}`);
  const source = userCredentials({ user, userName, certificateAuthorities: undefined }, surroundings);
  const headers = impersonationHeaders(user, userName);
  return createCredentialTransport({ transport: surroundings.transport, source, headers });
}
