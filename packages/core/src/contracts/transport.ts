import type { ForwardedCall, ForwardedResponse } from './forwarded-call.ts';
import type { TransportTls } from './transport-tls.ts';

/** An outgoing request. */
export interface TransportRequest {
  readonly method: string;
  /** By names in lower case. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal;
  readonly tls?: TransportTls;
  /**
   * URL of a proxy that carries the connection: `http`, `https`, `socks5` or `socks5h`. Ignored if there is
   * no connection.
   */
  readonly proxy?: string;
}

/** A response whose body has yet to be read, once: completely, or as it arrives. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The complete body. */
  body(): Promise<Uint8Array>;
  /** The body as it arrives. */
  stream(): AsyncIterable<Uint8Array>;
}

/** `code` of the error where a server's certificate has no alternative names: its common name does not count. */
export const CERTIFICATE_WITHOUT_NAMES = 'ERR_CERTIFICATE_WITHOUT_NAMES';

/** `code` of the error where a certificate is signed with SHA-1, as OpenSSL names it. */
export const CERTIFICATE_OF_SHA1 = 'CA_MD_TOO_WEAK';

/** Every outgoing call goes through one: webhooks, keys of issuers, aggregated servers, clients. */
export interface Transport {
  request(url: string, request: TransportRequest): Promise<TransportResponse>;
  /**
   * Closes the connections on which this certificate was presented, because it has been replaced: idle ones
   * immediately, others after their response. Responses still arriving, such as watches, are cut off. Absent
   * if there are no connections, or none are reused.
   */
  closeConnections?(certificate: string): void;
  /**
   * Passes on a request of somebody else, with its body and the response's as they arrive. Absent if the transport cannot.
   * @param origin of the other server: `https://10.0.0.1:443`
   */
  forward?(origin: string, call: ForwardedCall): Promise<ForwardedResponse>;
}
