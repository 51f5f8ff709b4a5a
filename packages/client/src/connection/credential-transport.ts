import {
  type Transport,
  type TransportRequest,
  type TransportResponse,
  type TransportTls,
  unlessAborted,
} from '@ashlar/core';
import { type CredentialSource, type Credentials, sameCredentials } from './credentials.ts';

export interface CredentialTransportOptions {
  readonly transport: Transport;
  readonly source: CredentialSource;
  /** Sent with every request in addition; names in lower case. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** How the server is verified. */
  readonly tls?: TransportTls;
  /** URL of the proxy. */
  readonly proxy?: string;
}

/**
 * A transport whose requests are authenticated. After a 401 the source is asked again, and if it has other
 * credentials the request is sent once more with them. A request with its own header `authorization` is from
 * another caller: it gets neither credentials nor impersonation.
 */
export function createCredentialTransport(options: CredentialTransportOptions): Transport {
  const { transport, source } = options;
  return {
    async request(url, request) {
      const send = (shown: Credentials): Promise<TransportResponse> =>
        transport.request(url, withCredentials(request, shown, options));
      if (request.headers?.authorization !== undefined)
        return transport.request(url, { ...request, ...reached(request, {}, options) });
      const shown = await unlessAborted(() => source.current(), request.signal);
      const response = await send(shown);
      if (response.status !== 401) return response;
      const renewed = await renewal(source, shown, response, request.signal);
      if (renewed === undefined) return response;
      const second = await send(renewed);
      if (second.status === 401) source.reject(renewed);
      return second;
    },
    closeConnections: (certificate) => transport.closeConnections?.(certificate),
  };
}

/** Other credentials than the rejected ones, after draining the response; undefined if there are none. */
async function renewal(
  source: CredentialSource,
  refused: Credentials,
  response: TransportResponse,
  signal: AbortSignal | undefined,
): Promise<Credentials | undefined> {
  source.reject(refused);
  try {
    const renewed = await unlessAborted(() => source.current(), signal);
    if (sameCredentials(refused, renewed)) return undefined;
    await response.body();
    return renewed;
  } catch (error) {
    // a connection is free once its response has been read
    await response.body().catch(() => {});
    throw error;
  }
}

function withCredentials(
  request: TransportRequest,
  shown: Credentials,
  options: CredentialTransportOptions,
): TransportRequest {
  const { authorization } = shown;
  const { headers } = options;
  return {
    ...request,
    headers: { ...headers, ...request.headers, ...(authorization !== undefined && { authorization }) },
    ...reached(request, shown, options),
  };
}

/** Connection settings. Empty by default: then those of the transport apply. */
function reached(
  request: TransportRequest,
  { certificate, key }: Credentials,
  { tls, proxy }: CredentialTransportOptions,
): Pick<TransportRequest, 'tls' | 'proxy'> {
  const merged = {
    ...tls,
    ...(certificate !== undefined && { certificate }),
    ...(key !== undefined && { key }),
    ...request.tls,
  };
  return {
    ...(Object.keys(merged).length > 0 && { tls: merged }),
    ...(proxy !== undefined && { proxy }),
    ...(request.proxy !== undefined && { proxy: request.proxy }),
  };
}
