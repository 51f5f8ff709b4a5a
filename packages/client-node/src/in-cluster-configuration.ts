import { join } from 'node:path';
import { type ClientConfiguration, parseClientConfiguration } from '@ashlar/client';
import type { Vocabulary } from '@ashlar/core';
import type { Environment } from './environment.ts';
import { readFile } from './read-file.ts';

/** How a program finds the cluster that it runs in. */
export interface ClusterSurroundings {
  /**
   * Variables of the process, `process.env`: they name files, servers and proxies, and credential plugins
   * inherit them.
   */
  readonly environment: Environment;
  /**
   * Folder of `token`, `ca.crt` and `namespace`. Default `/var/run/secrets/kubernetes.io/serviceaccount`,
   * named by the vocabulary.
   */
  readonly serviceAccountFolder?: string;
}

/**
 * The configuration of a program in a pod, as the pod's service account: from the variables
 * `KUBERNETES_SERVICE_HOST` and `KUBERNETES_SERVICE_PORT` and the mounted files
 * (semantics/access#service-accounts), in the namespace of `POD_NAMESPACE` or the mounted one. The token is
 * reread like any token file.
 *
 * @returns undefined outside of a cluster
 */
export function inClusterConfiguration(
  { environment, serviceAccountFolder }: ClusterSurroundings,
  { name: word, labelDomain }: Vocabulary,
): ClientConfiguration | undefined {
  const host = environment[`${word.toUpperCase()}_SERVICE_HOST`];
  const port = environment[`${word.toUpperCase()}_SERVICE_PORT`];
  if (!host || !port) return undefined;
  const folder = serviceAccountFolder ?? `/var/run/secrets/${labelDomain}/serviceaccount`;
  const name = 'in-cluster';
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const cluster = { server, 'certificate-authority': join(folder, 'ca.crt') };
  const user = { tokenFile: join(folder, 'token') };
  const context = { cluster: name, user: name, namespace: environment.POD_NAMESPACE || namespaceIn(folder) };
  const written = {
    clusters: [{ name, cluster }],
    users: [{ name, user }],
    contexts: [{ name, context }],
    'current-context': name,
  };
  return parseClientConfiguration(new TextEncoder().encode(JSON.stringify(written)));
}

/** Default namespace of a pod. */
function namespaceIn(folder: string): string | undefined {
  try {
    return readFile(join(folder, 'namespace'), undefined).trim();
  } catch {
    return undefined;
  }
}
