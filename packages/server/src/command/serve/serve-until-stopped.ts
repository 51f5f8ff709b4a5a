import type { Listener } from '@ashlar/http-node';
import { StoreFaultError } from '@ashlar/storage';
import type { ApiServer } from '../../assembly/api-server.ts';
import { startWatchdog, type Watchdog } from '../../assembly/watchdog.ts';
import type { CommandSurroundings } from '../command-surroundings.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { type Greeting, greetingText } from '../greeting.ts';
import { StartError } from '../usage-error.ts';
import { openListeners } from './serve-listeners.ts';
import type { tlsOf } from './serve-tls.ts';
import { watchCertificateFiles } from './watch-certificate-files.ts';

/**
 * Opens a server to callers, tells where it is as soon as it is ready, and closes it when the signal has come. While it begins, callers
 * are answered already: whoever watches over it asks then whether it lives (semantics/discovery#health).
 *
 * @throws UsageError for an address that cannot be had
 * @throws StartError where the storage has failed for good; what else kept the server from becoming ready
 */
export async function serveUntilStopped(
  flags: ServeFlags,
  server: ApiServer,
  tls: ReturnType<typeof tlsOf>,
  told: Omit<Greeting, 'listeners' | 'portGiven'>,
  surroundings: CommandSurroundings,
): Promise<void> {
  const { stdout, stderr, signal } = surroundings;
  const grace = flags['shutdown-grace-period'] ?? SHUTDOWN_GRACE_MILLISECONDS;
  using watchdog = flags['event-loop-watchdog'] === false ? undefined : watchdogOf(server, grace, stderr);
  // it may fail before somebody waits for it
  server.ready.catch(() => {});
  try {
    const listeners = await openListeners(
      flags,
      watchdog?.watched(server.handler) ?? server.handler,
      tls,
      stderr,
    );
    const portGiven = flags['secure-port'] !== undefined;
    try {
      using _ = watchCertificateFiles(flags, listeners[0] as Listener, stderr);
      using __ = tellOfWaiting(listeners[0] as Listener, stderr, server.ready);
      const isReady = await Promise.race([started(server), aborted(signal)]);
      if (isReady) stdout(greetingText({ ...told, listeners, portGiven }));
      await aborted(signal);
      watchdog?.endWithin((flags['shutdown-delay-duration'] ?? 0) + grace);
      await server.drain();
    } finally {
      await Promise.all(listeners.map((listener) => listener.close({ graceMilliseconds: grace / 2 })));
    }
  } finally {
    await server.close();
  }
}

/** How long ending may take: half of it for connections, the rest for what the server still does. */
const SHUTDOWN_GRACE_MILLISECONDS = 20_000;

function watchdogOf({ metrics }: ApiServer, grace: number, report: (text: string) => void): Watchdog {
  return startWatchdog({
    metrics,
    endMilliseconds: grace,
    onError: ({ message }) => report(`ashlar: ${message}\n`),
  });
}

/** How long a start may take before somebody is told that it takes long. */
const PATIENCE_MILLISECONDS = 2_000;

function tellOfWaiting({ url }: Listener, report: (text: string) => void, ready: Promise<void>): Disposable {
  const timer = setTimeout(
    () => report(`ashlar: ${url} answers, but is not ready yet: waiting for the storage\n`),
    PATIENCE_MILLISECONDS,
  );
  const clear = (): void => clearTimeout(timer);
  ready.then(clear, clear);
  return { [Symbol.dispose]: clear };
}

/** @throws StartError where the storage has failed for good; what else kept the server from becoming ready */
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
