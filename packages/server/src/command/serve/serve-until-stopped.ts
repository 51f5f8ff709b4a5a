import { firstServiceAddress } from '@ashlar/apis';
import { type CertificateChanges, type Listener, nodeAmbient } from '@ashlar/http-node';
import { StoreFaultError } from '@ashlar/storage';
import type { ApiServer } from '../../assembly/api-server.ts';
import { advertiseServer } from '../../bootstrap/advertise-server.ts';
import { publishAuthentication } from '../../bootstrap/publish-authentication.ts';
import { startWatchdog, type Watchdog } from '../../watchdog/watchdog.ts';
import type { CommandSurroundings } from '../command-surroundings.ts';
import { serviceNetworkOf } from '../flags/listener-flags.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { type Greeting, greetingText } from '../greeting.ts';
import { StartError } from '../usage-error.ts';
import type { AdvertisedAddress } from './advertised-address.ts';
import type { Advertising } from './advertising.ts';
import type { ClientAuthorities } from './certificates/client-authorities.ts';
import { clientAuthenticationOf } from './certificates/serve-client-authentication.ts';
import type { tlsOf } from './certificates/serve-tls.ts';
import { watchCertificateFiles } from './certificates/watch-certificate-files.ts';
import { openListeners } from './serve-listeners.ts';
import { type DefinitionManifest, establishDefinitions } from './serve-resources.ts';
import type { ServerLog } from './server-log.ts';

/**
 * Opens the listeners of a server, prints the greeting once it is ready, and closes it on the signal. Requests are answered while the
 * server starts, so that liveness probes work (semantics/discovery#health).
 *
 * @throws UsageError for an address that cannot be used
 * @throws StartError if the storage has failed permanently or a definition is rejected, and any other error that prevents the server from becoming ready
 */
export async function serveUntilStopped(
  flags: ServeFlags,
  server: ApiServer,
  tls: ReturnType<typeof tlsOf>,
  facts: Omit<Greeting, 'listeners' | 'isPortSet'>,
  surroundings: CommandSurroundings,
  { address, advertising, authorities, definitions = [], log }: Startup,
): Promise<void> {
  const { stdout, stderr, signal } = surroundings;
  const grace = flags['shutdown-grace-period'] ?? SHUTDOWN_GRACE_MILLISECONDS;
  using watchdog = flags['event-loop-watchdog'] === false ? undefined : watchdogOf(server, grace, stderr);
  // it may be rejected before it is awaited below
  server.ready.catch(() => {});
  try {
    const handler = log?.watched(server.handler) ?? server.handler;
    const listeners = await openListeners(flags, watchdog?.watched(handler) ?? handler, tls, stderr);
    address.listenAt((listeners[0] as Listener).url);
    const isPortSet = flags['secure-port'] !== undefined;
    try {
      using _ = watchCertificateFiles(flags, listeners[0] as Listener, stderr);
      using __ = reportSlowStart(listeners[0] as Listener, stderr, server.ready);
      const isReady = await Promise.race([started(server), aborted(signal)]);
      if (isReady) await establishDefinitions(server, definitions);
      const isAdvertised = isReady && advertising !== undefined;
      const publish = (): Promise<void> => publishedAuthorities(flags, server, authorities, stderr);
      if (isAdvertised) await publish();
      using ___ = authorities.follow(() => {
        (listeners[0] as Listener).setCertificate(trustedBy(authorities));
        if (isAdvertised) void publish();
      });
      await using ____ = isAdvertised ? await advertise(flags, server, address, stderr) : undefined;
      advertising?.finish();
      if (isReady) stdout(greetingText({ ...facts, listeners, isPortSet }));
      await aborted(signal);
      watchdog?.endWithin((flags['shutdown-delay-duration'] ?? 0) + grace);
      await server.drain({ graceMilliseconds: grace / 4 });
    } finally {
      // requests that were waited for take their time from the connections
      const share = flags['shutdown-send-retry-after'] ? 4 : 2;
      await Promise.all(listeners.map((listener) => listener.close({ graceMilliseconds: grace / share })));
    }
  } finally {
    await server.close({ graceMilliseconds: grace / 5 });
  }
}

/** What remains to be done when the storage is read. */
interface Startup {
  readonly address: AdvertisedAddress;
  /** Absent if the server is not to be made known to the programs of a cluster. */
  readonly advertising?: Advertising | undefined;
  readonly authorities: ClientAuthorities;
  /** Custom resource definitions to store. */
  readonly definitions?: readonly DefinitionManifest[];
  /** Logs the requests. */
  readonly log?: ServerLog;
}

/** Maximum duration of the shutdown: half of it for connections and requests in flight before they are closed, a fifth each for running requests and audit events, the rest for the storage. */
const SHUTDOWN_GRACE_MILLISECONDS = 20_000;

const trustedBy = ({ text }: ClientAuthorities): CertificateChanges =>
  text === undefined ? {} : { clientCertificateAuthorities: text };

/** Tells aggregated servers how callers are recognised; a failure is reported. */
async function publishedAuthorities(
  flags: ServeFlags,
  server: ApiServer,
  authorities: ClientAuthorities,
  report: (text: string) => void,
): Promise<void> {
  try {
    await publishAuthentication(server, clientAuthenticationOf(flags, authorities));
  } catch (error) {
    report(`ashlar: ${error instanceof Error ? error.message : error}\n`);
  }
}

async function advertise(
  flags: ServeFlags,
  server: ApiServer,
  { host, port }: AdvertisedAddress,
  report: (text: string) => void,
): Promise<AsyncDisposable> {
  const onError = (error: unknown): void =>
    report(`ashlar: ${error instanceof Error ? error.message : error}\n`);
  return await advertiseServer(server, {
    ...(host !== undefined && { address: host }),
    clusterIp: firstServiceAddress(serviceNetworkOf(flags)),
    port,
    clock: nodeAmbient(server.vocabulary).clock,
    onError,
  });
}

function watchdogOf({ metrics }: ApiServer, grace: number, report: (text: string) => void): Watchdog {
  return startWatchdog({
    metrics,
    endMilliseconds: grace,
    onError: ({ message }) => report(`ashlar: ${message}\n`),
  });
}

/** How long the start may take before a message reports it. */
const SLOW_START_MILLISECONDS = 2_000;

function reportSlowStart(
  { url }: Listener,
  report: (text: string) => void,
  ready: Promise<void>,
): Disposable {
  const timer = setTimeout(
    () => report(`ashlar: ${url} is listening but not ready: waiting for the storage\n`),
    SLOW_START_MILLISECONDS,
  );
  const clear = (): void => clearTimeout(timer);
  ready.then(clear, clear);
  return { [Symbol.dispose]: clear };
}

/** @throws StartError if the storage has failed permanently, and any other error that prevents the server from becoming ready */
async function started({ ready }: ApiServer): Promise<true> {
  try {
    await ready;
    return true;
  } catch (error) {
    const { cause } = error as Error;
    throw StoreFaultError.is(cause) ? new StartError(cause.message) : error;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
