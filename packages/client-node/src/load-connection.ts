import { type ConfiguredConnection, openConnection } from '@ashlar/client';
import { type Ambient, optionError, type Transport } from '@ashlar/core';
import { createNodeTransport } from '@ashlar/http-node';
import { checkKeyPair } from './check-key-pair.ts';
import { type ConfigurationSource, loadConfiguration } from './load-configuration.ts';
import { PluginRunner } from './plugin-runner.ts';
import { proxyFromEnvironment } from './proxy-from-environment.ts';
import { readFile } from './read-file.ts';

export interface LoadConnectionOptions extends ConfigurationSource {
  readonly ambient: Ambient;
  /** Instead of the current context. */
  readonly context?: string;
  /** Carries the requests; default: a new one over HTTP/1.1. */
  readonly transport?: Transport;
  /** Whether credential plugins may prompt: `process.stdin.isTTY`. Default false. */
  readonly terminal?: boolean;
}

/** A connection for `createClient`; disposing ends running plugins and its own connections. */
export interface LoadedConnection extends ConfiguredConnection, Disposable {}

/**
 * The connection that the configuration files of this machine describe, with credentials. If a cluster names
 * no proxy, the variables `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` apply.
 *
 * @throws ClientConfigurationError that names the problem and the file
 * @example
 * using connection = loadConnection({ ambient: nodeAmbient(kubernetesVocabulary), environment: process.env
 * });
 * const client = createClient(connection);
 */
export function loadConnection(options: LoadConnectionOptions): LoadedConnection {
  if (!options?.ambient?.vocabulary)
    throw optionError(
      'loadConnection',
      'ambient',
      'an ambient, such as nodeAmbient(kubernetesVocabulary)',
      options?.ambient,
    );
  const { ambient, context, environment, terminal = false } = options;
  const own = options.transport ? undefined : createNodeTransport();
  const plugins = new PluginRunner(environment);
  const connection = openConnection(
    loadConfiguration(options, ambient.vocabulary),
    {
      ...{ ambient, terminal, readFile, checkKeyPair },
      transport: options.transport ?? (own as Transport),
      proxyOf: (server) => proxyFromEnvironment(environment, server),
      runPlugin: (call) => plugins.run(call),
    },
    context,
  );
  return {
    ...connection,
    [Symbol.dispose]() {
      plugins[Symbol.dispose]();
      own?.close();
    },
  };
}
