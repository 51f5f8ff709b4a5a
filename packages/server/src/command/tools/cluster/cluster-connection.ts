import { ClientConfigurationError } from '@ashlar/client';
import { type LoadedConnection, loadConnection } from '@ashlar/client-node';
import { kubernetesVocabulary, type Vocabulary } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { UsageError } from '../../usage-error.ts';

/**
 * Opens the connection that a configuration file describes; without one, those that the environment names.
 * @param flag the flag that names the file, for errors
 * @throws UsageError for a file that cannot be used
 */
export function clusterConnection(
  flag: string,
  file: string | undefined,
  vocabulary: Vocabulary = kubernetesVocabulary,
): LoadedConnection {
  try {
    return loadConnection({
      ambient: nodeAmbient(vocabulary),
      environment: process.env,
      ...(file !== undefined && { file }),
    });
  } catch (error) {
    if (!ClientConfigurationError.is(error)) throw error;
    throw new UsageError(`flag --${flag}: ${error.message}`);
  }
}
