import { type Handler, optionError } from '@ashlar/core';
import type { ListenOptions, ListenTls } from './listen-options.ts';

/** Options that a server of the host has already decided. */
const OF_SERVERS = ['tls', 'maximumHeaderBytes', 'handshakeMilliseconds', 'headersMilliseconds'] as const;

/** @throws TypeError for a handler or options that cannot be meant */
export function checkListenOptions(handler: Handler, options: ListenOptions): void {
  checkHandler('listen', handler);
  const { server, port } = options;
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw optionError('listen', 'port', 'a whole number from 0 to 65535', port);
  }
  if (!server) {
    checkPem(options.tls);
    return;
  }
  const own = OF_SERVERS.find((name) => options[name] !== undefined);
  if (own) throw new TypeError(`option "${own}" of listen is for servers that it creates: give it to yours`);
  if (server.listenerCount('request') > 0) {
    throw new TypeError(
      'option "server" of listen has a listener of requests: let that one call toNodeListener(handler)',
    );
  }
}

function checkPem(tls: ListenTls | undefined): void {
  if (!tls) return;
  for (const name of ['certificate', 'key'] as const) {
    const text: unknown = tls[name];
    if (typeof text === 'string' && text.includes('-----BEGIN ')) continue;
    // the value may be secret
    const actual = typeof text === 'string' ? 'a text without "-----BEGIN "' : typeof text;
    throw new TypeError(
      `option "tls.${name}" of listen must be PEM, the content of a file and not its path, not ${actual}`,
    );
  }
}

/** @throws TypeError that names the handler if a server was given in its place */
export function checkHandler(taker: string, handler: unknown): void {
  if (typeof handler === 'function') return;
  const isServer = typeof (handler as { handler?: unknown } | null)?.handler === 'function';
  throw optionError(
    taker,
    'handler',
    isServer ? 'server.handler' : 'a function, such as server.handler',
    handler,
  );
}
