import type { Handler } from '@ashlar/core';
import { type Listener, type ListenOptions, listen } from '@ashlar/http-node';
import { http2OptionsOf } from '../flags/connection-flags.ts';
import type { ServeFlags } from '../flags/serve-flags.ts';
import { UsageError } from '../usage-error.ts';

/** The default port; if it is in use, the next free one. */
export const DEFAULT_PORT = 6443;
/** Number of ports after the default one that are tried. */
const PORTS = 100;

/**
 * Opens the listeners that the flags configure: HTTPS first, then the unix socket.
 * @throws UsageError that names the flag whose address is in use or invalid; no listener is open then
 */
export async function openListeners(
  flags: ServeFlags,
  handler: Handler,
  tls: NonNullable<ListenOptions['tls']>,
  report: (text: string) => void,
): Promise<Listener[]> {
  const onError = (error: unknown): void =>
    report(`ashlar: ${error instanceof Error ? error.message : error}\n`);
  const maximumHeaderBytes = flags['max-header-bytes'];
  const limits = { onError, ...(maximumHeaderBytes !== undefined && { maximumHeaderBytes }) };
  const host = flags['bind-address'] ?? '127.0.0.1';
  const options = { host, tls, ...http2OptionsOf(flags), ...limits };
  const secure = await listenFrom(handler, options, flags['secure-port']);
  const path = flags['http-socket'];
  if (path === undefined) return [secure];
  try {
    return [secure, await listen(handler, { path, ...limits })];
  } catch (error) {
    await secure.close();
    throw new UsageError(`flag --http-socket: ${error instanceof Error ? error.message : error}`);
  }
}

async function listenFrom(
  handler: Handler,
  options: ListenOptions,
  port: number | undefined,
): Promise<Listener> {
  for (let next = port ?? DEFAULT_PORT; ; next++) {
    try {
      return await listen(handler, { ...options, port: next });
    } catch (error) {
      const failure = error as NodeJS.ErrnoException;
      const last = port !== undefined || next === DEFAULT_PORT + PORTS;
      if (failure.code !== 'EADDRINUSE' || last) throw listenError(failure, `${options.host}:${next}`);
    }
  }
}

/** An error of a system call is about the address; an error before any system call is about the certificate. */
function listenError({ code, syscall, message }: NodeJS.ErrnoException, address: string): UsageError {
  return new UsageError(
    syscall === undefined
      ? `flag --tls-cert-file: the certificate and its key cannot be used (${message})`
      : `flag --secure-port: cannot listen on ${address} (${code})`,
  );
}
