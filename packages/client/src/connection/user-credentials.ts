import {
  ClientConfigurationError,
  type ClusterEntry,
  type ExecEntry,
  type UserEntry,
} from '../configuration/client-configuration.ts';
import { type ConnectionSurroundings, readerOf } from '../configuration/connection-surroundings.ts';
import type { CredentialSource } from './credentials.ts';
import { execCluster, execInfo } from './exec-credential.ts';
import { execPluginOf } from './exec-plugin.ts';
import { StoredSource } from './file-credential-source.ts';
import { PluginSource } from './plugin-source.ts';
import { storedCredentials } from './stored-credentials.ts';

/** A user, at a cluster that is verified by certain CAs. */
export interface CredentialOwner {
  readonly user: UserEntry;
  readonly userName: string;
  /** Absent if the credentials are for other servers. */
  readonly cluster?: ClusterEntry;
  readonly certificateAuthorities: string | undefined;
}

/**
 * The credentials of a user: the stored ones or, if there is no token, those of a plugin.
 * @throws ClientConfigurationError if they cannot be used
 */
export function userCredentials(
  owner: CredentialOwner,
  surroundings: ConnectionSurroundings,
): CredentialSource {
  const { user, userName } = owner;
  const { ambient, transport } = surroundings;
  if (user['auth-provider'] != null) throw refusal(userName, 'auth-provider is not supported: use exec');
  const stored = new StoredSource({
    read: () => storedCredentials(user, userName, readerOf(surroundings)),
    clock: ambient.clock,
    retire: (certificate) => transport.closeConnections?.(certificate),
  });
  const { authorization, certificate } = stored.current();
  if (user.exec === undefined || authorization !== undefined) return stored;
  if (certificate !== undefined) throw refusal(userName, 'it has both exec and a client-certificate');
  return pluginSource(owner, user.exec, surroundings);
}

function pluginSource(
  owner: CredentialOwner,
  block: ExecEntry,
  surroundings: ConnectionSurroundings,
): CredentialSource {
  const { userName, user, cluster, certificateAuthorities } = owner;
  const { ambient, transport, runPlugin, terminal = false } = surroundings;
  if (!runPlugin) throw refusal(userName, 'exec: no plugins are run here');
  const { vocabulary } = ambient;
  const plugin = execPluginOf(block, userName, vocabulary);
  if (plugin.provideClusterInfo && !cluster)
    throw refusal(userName, 'exec: provideClusterInfo needs a cluster');
  const clusterInfo =
    cluster && plugin.provideClusterInfo
      ? execCluster(cluster, certificateAuthorities, vocabulary)
      : undefined;
  const { command, args } = plugin;
  return new PluginSource({
    ...{ plugin, ambient, terminal },
    run: (interactive) => {
      const variables = {
        ...plugin.variables,
        [vocabulary.execInfoVariable]: execInfo(plugin, interactive, clusterInfo),
      };
      return runPlugin({ command, args, variables, interactive, origin: user.origin });
    },
    checkKeyPair: readerOf(surroundings).checkKeyPair,
    retire: (certificate) => transport.closeConnections?.(certificate),
  });
}

const refusal = (user: string, problem: string): ClientConfigurationError =>
  new ClientConfigurationError(`user ${JSON.stringify(user)}: ${problem}`);
