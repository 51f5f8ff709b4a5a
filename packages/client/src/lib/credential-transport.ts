import type { Transport, TransportRequest, TransportResponse, TransportTls } from '@ashlar/core';
import { type CredentialSource, type Credentials, sameCredentials } from './credentials.ts';

export interface CredentialTransportOptions {
  readonly transport: Transport;
  readonly source: CredentialSource;
  /** Sent with every request besides; names in lower case. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** How the server is recognized. */
  readonly tls?: TransportTls;
}

/**
 * A transport whose requests show who they are from. After a 401 the source is asked again, and where it has other credentials the
 * request is sent once more with them. A request that brings a header `authorization` of its own is left as it is.
 */
export function createCredentialTransport(options: CredentialTransportOptions): Transport {
  const { transport, source } = options;
  const send = (url: string, request: TransportRequest, shown: Credentials): Promise<TransportResponse> =>
    transport.request(url, withCredentials(request, shown, options));
  return {
    async request(url, request) {
      if (request.headers?.authorization !== undefined) return send(url, request, {});
      const shown = await unlessAborted(source.current(), request.signal);
      const answer = await send(url, request, shown);
      if (answer.status !== 401) return answer;
      source.reject(shown);
      const renewed = await unlessAborted(source.current(), request.signal);
      if (sameCredentials(shown, renewed)) return answer;
      // a connection is free for the next request when its answer has been read
      await answer.body();
      const second = await send(url, request, renewed);
      if (second.status === 401) source.reject(renewed);
      return second;
    },
    closeConnections: (certificate) => transport.closeConnections?.(certificate),
  };
}

function withCredentials(
  request: TransportRequest,
  { authorization, certificate, key }: Credentials,
  { headers, tls }: CredentialTransportOptions,
): TransportRequest {
  return {
    ...request,
    headers: { ...headers, ...request.headers, ...(authorization !== undefined && { authorization }) },
    tls: {
      ...tls,
      ...(certificate !== undefined && { certificate }),
      ...(key !== undefined && { key }),
      ...request.tls,
    },
  };
}

/** Others may be waiting for the same credentials: whoever gives up leaves alone. */
async function unlessAborted<T>(pending: T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal || !(pending instanceof Promise)) return pending;
  signal.throwIfAborted();
  let aborted = (): void => {};
  const abortion = new Promise<never>((_, reject) => {
    aborted = () => reject(signal.reason);
    signal.addEventListener('abort', aborted, { once: true });
  });
  try {
    return await Promise.race([pending, abortion]);
  } finally {
    signal.removeEventListener('abort', aborted);
  }
}
