import { inspect } from 'node:util';
import { orchVocabulary } from '@ashlar/core';
import { EncryptionConfigurationError } from '@ashlar/encryption';
import type { InFlightLimits } from '@ashlar/http';
import { createNodeTransport, nodeAmbient } from '@ashlar/http-node';
import type { KeyValueStore } from '@ashlar/storage';
import type { SqliteThread } from '@ashlar/storage-sqlite';
import type { ApiServer } from '../../assembly/api-server.ts';
import type { ApiServerOptions } from '../../assembly/api-server-options.ts';
import { createApiServer } from '../../assembly/create-api-server.ts';
import { resourcesOf } from '../../assembly/resources-of-vocabulary.ts';
import { RuntimeConfigError } from '../../assembly/runtime-config.ts';
import { createNodeProfiler } from '../../profiling/node-profiler.ts';
import type { CommandSurroundings } from '../command-surroundings.ts';
import { anonymousFromOf } from '../flags/anonymous-flags.ts';
import { browserOptionsOf } from '../flags/browser-flags.ts';
import { emulatedReleaseOf, featureGatesFrom } from '../flags/feature-flags.ts';
import { serviceNetworkOf } from '../flags/listener-flags.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { openStorage, storageLocation } from '../storage/open-storage.ts';
import { StateFolder } from '../storage/state-folder.ts';
import { UsageError } from '../usage-error.ts';
import { WebhookConnections } from '../webhook-connections.ts';
import { AdvertisedAddress } from './advertised-address.ts';
import { Advertising } from './advertising.ts';
import { ClientAuthorities } from './certificates/client-authorities.ts';
import { certificateSigningOf } from './certificates/serve-certificate-signing.ts';
import { rootCertificateOf } from './certificates/serve-root-certificate.ts';
import { ownsIdentity, tlsOf, withCertificateFiles } from './certificates/serve-tls.ts';
import { clusterComponents } from './cluster-components.ts';
import { admissionOf } from './serve-admission.ts';
import { createServeAudit } from './serve-audit.ts';
import { createServeAuthentication } from './serve-authentication.ts';
import { createServeAuthorization } from './serve-authorization.ts';
import { createServeEncryption } from './serve-encryption.ts';
import { proxyClientOf } from './serve-proxy-client.ts';
import { definitionsOf } from './serve-resources.ts';
import { serviceAccountsOf } from './serve-service-accounts.ts';
import { serveUntilStopped } from './serve-until-stopped.ts';
import { ServerLog } from './server-log.ts';

const FOLDER = '.ashlar';

/**
 * Runs `ashlar serve`: a durable server with HTTPS until the signal, and a greeting that says how to connect.
 * @param thread of a store in a file, if it was started ahead
 * @throws UsageError
 */
export async function serve(
  given: ServeFlags,
  surroundings: CommandSurroundings,
  thread?: SqliteThread,
): Promise<void> {
  const { stdout } = surroundings;
  const flags = withCertificateFiles(given);
  const vocabulary = flags.vocabulary ?? orchVocabulary;
  const ambient = nodeAmbient(vocabulary);
  const log = new ServerLog(flags, ambient.clock, surroundings.stderr);
  const { report: stderr } = log;
  const emulation = await emulationOf(flags);
  const gates = featureGatesFrom(flags);
  const folder = new StateFolder(FOLDER);
  const location = storageLocation(flags, folder);
  const definitions = definitionsOf(flags, vocabulary);
  const certificateSigning = certificateSigningOf(flags);
  const identity = ownsIdentity(flags) ? await folder.identity(ambient.random) : undefined;
  // all files of the flags are checked before anything is opened
  const authorities = new ClientAuthorities(flags, stderr);
  const tls = tlsOf(flags, identity, authorities.text);
  const serviceAccounts = serviceAccountsOf(flags, vocabulary, identity && folder);
  const rootCertificateAuthority = rootCertificateOf(flags, identity);
  const transport = createNodeTransport();
  using connections = new WebhookConnections({ ambient, transport });
  using auditing = createServeAudit(flags, { ambient, connections, stdout, report: stderr });
  const admission = admissionOf(flags, vocabulary, connections);
  using proxyClient = proxyClientOf(flags, transport, stderr);
  const authorization = createServeAuthorization(flags, { ambient, transport, report: stderr });
  const encryption = createServeEncryption(flags, ambient, stderr);
  const authentication = createServeAuthentication(flags, ambient, identity?.token, stderr, authorities);
  try {
    const { authenticator } = authentication;
    const { authorizer } = authorization;
    const anonymousFrom = anonymousFromOf(flags, authorization.allowsAll);
    const access = { vocabulary, authenticator, authorizer, serviceAccounts, anonymousFrom };
    if (location.engine === 'sqlite' && flags.storage === undefined) folder.open();
    const storage = await openStorage(location, flags, vocabulary, {
      ...{ report: stderr, encryption: encryption.atRest, thread },
    });
    const content = {
      ...admission,
      resources: await resourcesOf(vocabulary, {
        signs: certificateSigning !== undefined,
        components: clusterComponents({ transport, clock: ambient.clock, storage }),
        ...(gates && { featureGates: gates }),
      }),
      // a backup is in memory as it was before it was encrypted
      ...(encryption.atRest && flags.snapshot === undefined && { encryption: encryption.atRest }),
      ...(emulation && { emulation }),
      ...(gates && { featureGates: gates }),
      ...(certificateSigning && { certificateSigning }),
      ...(rootCertificateAuthority !== undefined && { rootCertificateAuthority }),
    };
    const advertising = flags.snapshot === undefined ? new Advertising() : undefined;
    const address = new AdvertisedAddress(flags);
    const server = await createOrClose(storage, () =>
      createServer(
        flags,
        {
          ...{ ...access, ...content, transport, serverAddress: () => address.hostAndPort },
          ...(proxyClient && { proxyClient: proxyClient.current }),
          ...(auditing.audit && { audit: auditing.audit }),
          ...(advertising && { healthChecks: advertising.checks }),
        },
        storage,
        stderr,
      ),
    );
    authentication.follow(server.metrics);
    authorization.follow(server.metrics);
    if (flags.snapshot === undefined) encryption.follow(server);
    const generated = identity && { folder, identity };
    await serveUntilStopped(
      flags,
      server,
      tls,
      { vocabulary, storage: location, own: generated },
      { ...surroundings, stderr },
      { address, advertising, authorities, definitions, log },
    );
  } finally {
    authentication[Symbol.dispose]();
    authorization[Symbol.dispose]();
    encryption[Symbol.dispose]();
    transport.close();
  }
}

/** The withdrawn versions are loaded on demand. @throws UsageError for a release that cannot be emulated */
async function emulationOf(flags: ServeFlags): Promise<ApiServerOptions['emulation'] | undefined> {
  const release = emulatedReleaseOf(flags);
  if (release === undefined) return undefined;
  const { emulateRelease } = await import('../../emulation/emulate-release.ts');
  try {
    return emulateRelease(release);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const flag = flags.emulate === undefined ? 'emulated-version' : 'emulate';
    throw new UsageError(`flag --${flag}: ${error.message}`);
  }
}

/** Creates the server; closes the storage where that fails. @throws UsageError for an invalid runtime configuration */
async function createOrClose(storage: KeyValueStore, make: () => ApiServer): Promise<ApiServer> {
  try {
    return make();
  } catch (error) {
    await storage[Symbol.asyncDispose]();
    if (EncryptionConfigurationError.is(error))
      throw new UsageError(`flag --encryption-provider-config: ${error.message}`);
    throw error instanceof RuntimeConfigError
      ? new UsageError(`flag --runtime-config: ${error.message}`)
      : error;
  }
}

type Access = Required<
  Pick<
    ApiServerOptions,
    'vocabulary' | 'authenticator' | 'authorizer' | 'serviceAccounts' | 'transport' | 'anonymousFrom'
  >
>;
type Content = Pick<
  ApiServerOptions,
  | 'resources'
  | 'encryption'
  | 'emulation'
  | 'featureGates'
  | 'certificateSigning'
  | 'rootCertificateAuthority'
  | 'proxyClient'
  | 'healthChecks'
  | 'audit'
  | 'serverAddress'
> &
  ReturnType<typeof admissionOf>;

function createServer(
  flags: ServeFlags,
  access: Access & Content,
  storage: KeyValueStore,
  report: (text: string) => void,
): ApiServer {
  const ttl = flags['event-ttl'];
  const timeout = flags['request-timeout'];
  const minimumWatch = flags['min-request-timeout'];
  const compaction = flags['etcd-compaction-interval'];
  const grace = flags['livez-grace-period'];
  const delay = flags['shutdown-delay-duration'];
  for (const warning of access.featureGates?.warnings ?? []) report(`ashlar: ${warning}\n`);
  return createApiServer({
    ...access,
    storage,
    readOnly: flags.snapshot !== undefined,
    routesToEndpoints: flags['enable-aggregator-routing'] ?? false,
    identityHeaders: identityHeadersOf(flags),
    limits: limitsOf(flags),
    ...(flags['enable-priority-and-fairness'] === false && { priorityAndFairness: false }),
    serviceNetwork: serviceNetworkOf(flags),
    ...(grace !== undefined && { livezGraceMilliseconds: grace }),
    ...(delay !== undefined && { shutdownDelayMilliseconds: delay }),
    shutdownSendRetryAfter: flags['shutdown-send-retry-after'] ?? false,
    ...(flags.controllers && { controllers: flags.controllers }),
    ...(flags['api-audiences'] && { apiAudiences: flags['api-audiences'] }),
    ...(flags['runtime-config'] && { runtimeConfig: flags['runtime-config'] }),
    ...(flags.profiling !== false && { profiler: createNodeProfiler() }),
    ...(flags['show-hidden-metrics-for-version'] !== undefined && { showHiddenMetrics: true }),
    ...(compaction !== undefined && { compactionMilliseconds: compaction }),
    ...(ttl !== undefined && { eventTtlSeconds: Math.ceil(ttl / 1000) }),
    ...(timeout && { requestTimeoutMilliseconds: timeout }),
    ...(minimumWatch !== undefined && { minimumWatchSeconds: minimumWatch }),
    ...browserOptionsOf(flags),
    onError: (error) => report(`ashlar: ${error instanceof Error ? inspect(error) : error}\n`),
  });
}

/** All header names in which a proxy passes the identity of a caller. */
function identityHeadersOf(flags: ServeFlags): readonly string[] {
  const names = (['username', 'uid', 'group'] as const).flatMap(
    (kind) => flags[`requestheader-${kind}-headers`] ?? [],
  );
  return [...names, ...(flags['requestheader-extra-headers-prefix'] ?? [])];
}

function limitsOf(flags: ServeFlags): InFlightLimits {
  const readOnly = flags['max-requests-inflight'];
  const mutating = flags['max-mutating-requests-inflight'];
  const readOnlyPerUser = flags['max-requests-inflight-per-user'];
  const mutatingPerUser = flags['max-mutating-requests-inflight-per-user'];
  return {
    ...(readOnly !== undefined && { readOnly }),
    ...(mutating !== undefined && { mutating }),
    ...(readOnlyPerUser !== undefined && { readOnlyPerUser }),
    ...(mutatingPerUser !== undefined && { mutatingPerUser }),
  };
}
