import {
  type ClientConfiguration,
  ClientConfigurationError,
  mergeClientConfigurations,
  parseClientConfiguration,
} from '@ashlar/client';
import type { Vocabulary } from '@ashlar/core';
import { configurationPaths } from './configuration-paths.ts';
import { type ClusterSurroundings, inClusterConfiguration } from './in-cluster-configuration.ts';
import { readBytes } from './read-file.ts';

/** Where configurations are found. */
export interface ConfigurationSource extends ClusterSurroundings {
  /** The only file, instead of those that the environment names; it must exist. */
  readonly file?: string;
}

/**
 * Reads and merges the configuration files of this machine; of those that the environment names the first
 * wins, and some may be missing. If there is none, a program in a pod uses the server of its cluster.
 *
 * @throws ClientConfigurationError if one cannot be read, or there is none
 */
export function loadConfiguration(source: ConfigurationSource, vocabulary: Vocabulary): ClientConfiguration {
  const { environment, file } = source;
  const paths = file === undefined ? configurationPaths(environment, vocabulary) : [file];
  const configurations = paths.flatMap((path) => read(path, file === undefined));
  if (configurations.length > 0) return mergeClientConfigurations(configurations);
  const own = file === undefined && inClusterConfiguration(source, vocabulary);
  if (own) return own;
  throw new ClientConfigurationError(
    paths.length === 0
      ? 'there is no configuration: the environment names no home folder'
      : `there is no configuration: ${paths.join(' and ')} cannot be found`,
  );
}

function read(path: string, mayBeMissing: boolean): readonly ClientConfiguration[] {
  let bytes: Uint8Array;
  try {
    bytes = readBytes(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && mayBeMissing) return [];
    throw new ClientConfigurationError(message);
  }
  return [parseClientConfiguration(bytes, path)];
}
