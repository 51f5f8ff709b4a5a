import {
  type Clock,
  callOut,
  errorMessage,
  goQuote,
  LateResponseError,
  type OutgoingResponse,
  type Transport,
  type TransportTls,
  type UserInfo,
} from '@ashlar/core';
import { identityHeaders } from '../proxy/forwarded-headers.ts';

/** A server that this one calls on its own behalf, not for a caller. */
export interface BackendConnection {
  readonly clock: Clock;
  readonly transport: Transport | undefined;
  /** `https://10.0.0.1:443` */
  readonly origin: string;
  readonly tls: TransportTls;
  /** The user that it sees. */
  readonly user: UserInfo;
}

export interface BackendRequest {
  readonly path: string;
  readonly timeoutMilliseconds: number;
  readonly maximumBytes: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Gets a path of another server, whatever the status of the response. @throws Error whose message is `Get "<url>": <why>` */
export async function callBackend(
  { clock, transport, origin, tls, user }: BackendConnection,
  { path, timeoutMilliseconds, maximumBytes, headers }: BackendRequest,
): Promise<OutgoingResponse> {
  const url = origin + path;
  try {
    if (!transport) throw new Error('this server makes no outgoing requests');
    const limits = { transport, clock, timeoutMilliseconds, maximumBytes };
    return await callOut(limits, url, { method: 'GET', headers: { ...fieldsOf(user), ...headers }, tls });
  } catch (error) {
    const why = LateResponseError.is(error) ? 'context deadline exceeded' : errorMessage(error);
    throw new Error(`Get ${goQuote(url)}: ${why}`, { cause: error });
  }
}

function fieldsOf(user: UserInfo): Readonly<Record<string, readonly string[]>> {
  const fields = new Map<string, string[]>();
  for (const [name, value] of identityHeaders(user)) fields.set(name, [...(fields.get(name) ?? []), value]);
  return Object.fromEntries(fields);
}
