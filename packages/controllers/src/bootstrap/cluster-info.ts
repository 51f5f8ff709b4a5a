import type { Client, ResourceClient } from '@ashlar/client';
import { type ApiObject, encodeBase64, systemNamespace, type Vocabulary } from '@ashlar/core';
import { unlessOvertaken } from '../loop/unless-overtaken.ts';

/** The object in which clients without credentials find the cluster (semantics/access#authentication). */
export interface ClusterInfo extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

export const CLUSTER_INFO = 'cluster-info';
/** Key of the kubeconfig. */
export const CONFIGURATION_KEY = 'kubeconfig';
/** Prefix of the keys of signatures, before the token id. */
export const SIGNATURE_PREFIX = 'jws-kubeconfig-';

/** The config maps of its namespace. */
export function publicConfigMaps(client: Client, vocabulary: Vocabulary): ResourceClient<ClusterInfo> {
  return client
    .resource<ClusterInfo>({ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' })
    .namespace(systemNamespace(vocabulary, 'public'));
}

export interface ClusterInfoOptions {
  readonly vocabulary: Vocabulary;
  /** URL of the server, `https://host:port`. */
  readonly server: string;
  /** CA certificate of the server's certificate, PEM. */
  readonly certificateAuthority: string;
}

/**
 * Creates the config map `cluster-info` if there is none: joining nodes find the server's address and CA in
 * it. The host decides who may read it: anonymous callers need a role and a binding in its namespace.
 *
 * @throws StatusError if it cannot be created
 * @example
 * await createClusterInfo(server.client, { vocabulary, server: 'https://10.0.0.1:6443', certificateAuthority
 * });
 */
export async function createClusterInfo(client: Client, options: ClusterInfoOptions): Promise<void> {
  const data = { [CONFIGURATION_KEY]: joiningConfiguration(options) };
  const maps = publicConfigMaps(client, options.vocabulary);
  await unlessOvertaken(() => maps.create({ metadata: { name: CLUSTER_INFO }, data }));
}

/** A kubeconfig without a user, as JSON, which is valid YAML. */
function joiningConfiguration({ server, certificateAuthority }: ClusterInfoOptions): string {
  const authority = encodeBase64(new TextEncoder().encode(certificateAuthority));
  const configuration = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: '', cluster: { server, 'certificate-authority-data': authority } }],
    users: [],
    contexts: [],
    'current-context': '',
  };
  return `${JSON.stringify(configuration, null, 2)}\n`;
}
