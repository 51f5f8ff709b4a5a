import { openUserTransport } from '@ashlar/client';
import type { Transport } from '@ashlar/core';
import { createNodeTransport } from '@ashlar/http-node';
import { checkKeyPair } from './check-key-pair.ts';
import { loadConfiguration } from './load-configuration.ts';
import type { LoadConnectionOptions } from './load-connection.ts';
import { PluginRunner } from './plugin-runner.ts';
import { readFile } from './read-file.ts';

/** The users of configuration files; disposing ends running plugins and their own connections. */
export interface LoadedUsers extends Disposable {
  /** Transports that authenticate as a user, by its name. */
  readonly transports: ReadonlyMap<string, Transport>;
  /** The user of the current context. */
  readonly current: string | undefined;
}

/**
 * The users that the configuration files of this machine describe, for requests to servers that those do not name.
 * @throws ClientConfigurationError that names the problem and the file
 */
export function loadUsers(options: Omit<LoadConnectionOptions, 'context'>): LoadedUsers {
  const { ambient, environment, terminal = false } = options;
  const configuration = loadConfiguration(options, ambient.vocabulary);
  const own = options.transport ? undefined : createNodeTransport();
  const plugins = new PluginRunner(environment);
  const surroundings = {
    ...{ ambient, terminal, readFile, checkKeyPair },
    transport: options.transport ?? (own as Transport),
    runPlugin: (call: Parameters<PluginRunner['run']>[0]) => plugins.run(call),
  };
  const { users, contexts, currentContext } = configuration;
  return {
    transports: new Map(
      [...users.keys()].map((name) => [name, openUserTransport(configuration, name, surroundings)]),
    ),
    current: currentContext === undefined ? undefined : contexts.get(currentContext)?.user,
    [Symbol.dispose]() {
      plugins[Symbol.dispose]();
      own?.close();
    },
  };
}
