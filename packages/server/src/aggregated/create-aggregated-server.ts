import type { AdmissionPlugin } from '@ashlar/admission';
import { type Client, type ConnectionOptions, createClient } from '@ashlar/client';
import { loadConnection } from '@ashlar/client-node';
import {
  checkOptionNames,
  kubernetesVocabulary,
  optionError,
  printErrors,
  type Vocabulary,
} from '@ashlar/core';
import { type Listener, listen, nodeAmbient } from '@ashlar/http-node';
import type { ResourceDefinition } from '@ashlar/registry';
import type { KeyValueStore } from '@ashlar/storage';
import type { ApiServer } from '../assembly/api-server.ts';
import { assembleApiServer } from '../assembly/create-api-server.ts';
import type { Certificates } from '../certificates/self-signed-certificates.ts';
import { createServingCertificate } from '../certificates/serving-certificate.ts';
import { clusterAuthenticator, clusterAuthorizer, clusterReviews } from './cluster-access.ts';
import { ClusterAuthentication } from './cluster-authentication.ts';
import { clusterNamespaces } from './cluster-namespaces.ts';
import { type AggregatedService, registerVersions, versionsOf, whenAvailable } from './register-versions.ts';

export interface AggregatedServerOptions {
  /** The types that the server adds to the cluster. */
  readonly resources: readonly ResourceDefinition[];
  /** How the cluster reaches the server. */
  readonly service: AggregatedService;
  /**
   * A file that says how the server reaches the cluster; default: those of `KUBECONFIG`, the one in the home directory, or what a
   * cluster gives to its pods.
   */
  readonly kubeconfig?: string;
  /** Instead of the current context of the file. */
  readonly context?: string;
  /** Instead of a file: a connection with the credentials of the server. */
  readonly connection?: ConnectionOptions;
  /** Where to listen. Default: any free port of 127.0.0.1; in a pod `host` is `0.0.0.0`. */
  readonly host?: string;
  readonly port?: number;
  /** Certificate, key and CA of the server, PEM; several replicas share one. Default: new ones at each start. */
  readonly certificates?: Certificates;
  /** Stores the objects; closed with the server. Default: in memory. */
  readonly storage?: KeyValueStore;
  /** Names on the wire; default: those of Kubernetes. */
  readonly vocabulary?: Vocabulary;
  /** Admission plugins of the host. */
  readonly admission?: readonly AdmissionPlugin[];
  /** Order of the groups among those of the cluster; default 1,000. */
  readonly groupPriority?: number;
  /** Order of the versions of a group; default 15. */
  readonly versionPriority?: number;
  /** Called with errors that are not the rejection of a request. By default they are printed. */
  readonly onError?: (error: unknown) => void;
}

/** A server that a cluster passes requests on to. */
export interface AggregatedServer extends AsyncDisposable {
  readonly server: ApiServer;
  readonly listener: Listener;
  /** Reads and writes the cluster. */
  readonly cluster: Client;
  /** Resolves when the cluster passes requests on. @throws the reason of the signal */
  available(signal?: AbortSignal): Promise<void>;
  /** Stops. The cluster keeps its API services, and answers 503 for them. */
  close(): Promise<void>;
}

const OPTIONS: Readonly<Record<keyof AggregatedServerOptions, true>> = {
  resources: true,
  service: true,
  kubeconfig: true,
  context: true,
  connection: true,
  host: true,
  port: true,
  certificates: true,
  storage: true,
  vocabulary: true,
  admission: true,
  groupPriority: true,
  versionPriority: true,
  onError: true,
};

/**
 * Starts a server that adds types to a cluster: the cluster's API servers authenticate callers and pass their requests on, and the
 * server lets the cluster decide whether they are allowed (semantics/discovery#aggregation). It registers its versions itself.
 *
 * The user of the connection needs the cluster role `system:auth-delegator`, the role `extension-apiserver-authentication-reader` in
 * the system namespace, and permission to read namespaces and to write API services.
 *
 * @throws TypeError for wrong options; ClientConfigurationError for a file that cannot be used; Error if the cluster has no front proxy
 * or refuses the registration
 * @example
 * const aggregated = await createAggregatedServer({
 *   resources: [widgets],
 *   service: { namespace: 'default', name: 'widgets', externalName: 'localhost' },
 * });
 * await aggregated.available();
 */
export async function createAggregatedServer(options: AggregatedServerOptions): Promise<AggregatedServer> {
  checkOptions(options);
  const opened = new OpenedParts();
  try {
    return await start(options, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function start(options: AggregatedServerOptions, opened: OpenedParts): Promise<AggregatedServer> {
  const { onError = printErrors('aggregated server') } = options;
  const ambient = nodeAmbient(options.vocabulary ?? kubernetesVocabulary);
  const versions = versionsOf(options.resources);
  const connection = options.connection ?? opened.keep(loadedConnection(options, ambient));
  const cluster = createClient(connection);
  const certificates = options.certificates ?? (await certificatesOf(options.service));
  const authentication = opened.keep(new ClusterAuthentication({ client: cluster, ambient, onError }));
  let listener: Listener | undefined;
  await authentication.start(() =>
    listener?.setCertificate({ ...certificates, clientCertificateAuthorities: authentication.authorities }),
  );
  const reviews = { ...clusterReviews(connection), ambient, onError };
  const server = opened.keep(
    assembleApiServer(
      {
        ...{ ambient, onError, resources: options.resources, controllers: false },
        ...(options.storage && { storage: options.storage }),
        ...(options.admission && { admission: options.admission }),
        authenticator: () => clusterAuthenticator(reviews, authentication.authenticator),
        authorizer: () => clusterAuthorizer(reviews),
      },
      {
        publishedGroups: new Set(versions.map(({ group }) => group)),
        namespaceOf: clusterNamespaces(cluster, ambient.clock),
      },
    ),
  );
  await server.ready;
  listener = opened.keep(
    await listen(server.handler, {
      ...{ host: options.host ?? '127.0.0.1', port: options.port ?? 0, onError },
      tls: { ...certificates, clientCertificateAuthorities: authentication.authorities },
    }),
  );
  await registerVersions(cluster, ambient.vocabulary, versions, {
    service: { ...options.service, port: portOf(options.service, listener) },
    certificateAuthority: certificates.certificateAuthority,
    groupPriority: options.groupPriority ?? 1_000,
    versionPriority: options.versionPriority ?? 15,
  });
  const end = new AbortController();
  const close = async (): Promise<void> => {
    end.abort(new Error('the server has been closed'));
    await opened.close();
  };
  return {
    ...{ server, listener, cluster, close, [Symbol.asyncDispose]: close },
    available: (signal) =>
      whenAvailable(
        cluster,
        ambient.vocabulary,
        versions,
        signal ? AbortSignal.any([signal, end.signal]) : end.signal,
      ),
  };
}

/** What a server has opened, closed in the reverse order. */
class OpenedParts {
  readonly #parts: (Disposable | AsyncDisposable)[] = [];

  keep<T extends Disposable | AsyncDisposable>(part: T): T {
    this.#parts.push(part);
    return part;
  }

  async close(): Promise<void> {
    for (const part of this.#parts.splice(0).reverse()) {
      if (Symbol.asyncDispose in part) await part[Symbol.asyncDispose]();
      else part[Symbol.dispose]();
    }
  }
}

function checkOptions(options: AggregatedServerOptions): void {
  const callee = 'createAggregatedServer';
  checkOptionNames(callee, options, Object.keys(OPTIONS));
  const { resources, service } = options;
  if (!Array.isArray(resources) || resources.length === 0)
    throw optionError(
      callee,
      'resources',
      'a list of definitions, such as [defineResource({ … })]',
      resources,
    );
  if (typeof service?.namespace !== 'string' || typeof service.name !== 'string')
    throw optionError(callee, 'service', 'the namespace and the name of a service', service);
}

const loadedConnection = (
  { kubeconfig, context }: AggregatedServerOptions,
  ambient: ReturnType<typeof nodeAmbient>,
): ReturnType<typeof loadConnection> =>
  loadConnection({
    ...{ ambient, environment: process.env },
    ...(kubeconfig !== undefined && { file: kubeconfig }),
    ...(context !== undefined && { context }),
  });

/** The cluster verifies the name of the service, whatever the address. */
const certificatesOf = ({ namespace, name }: AggregatedService): Promise<Certificates> =>
  createServingCertificate({ hosts: [`${name}.${namespace}.svc`] });

function portOf({ port, externalName }: AggregatedService, { address }: Listener): number {
  if (port !== undefined) return port;
  return externalName !== undefined && 'port' in address ? address.port : 443;
}
