import type { ConnectionOptions } from '@ashlar/client';
import { type Transport, unlessAborted } from '@ashlar/core';
import type { ServerLifetime } from './server-lifetime.ts';

/**
 * A connection whose requests wait until the server is ready: before, the namespaces that every server has are not there yet, and a
 * correct request would be answered with "not found". Requests of a server that cannot start reject with the reason.
 */
export function connectWhenReady(
  connection: ConnectionOptions,
  lifetime: ServerLifetime,
  ready: Promise<void>,
): ConnectionOptions {
  const { transport } = connection;
  const afterStart: Transport['request'] = async (url, request) => {
    await unlessAborted(() => ready, request.signal);
    return transport.request(url, request);
  };
  return {
    ...connection,
    transport: {
      request: (url, request) =>
        lifetime.isComplete ? transport.request(url, request) : afterStart(url, request),
    },
  };
}
