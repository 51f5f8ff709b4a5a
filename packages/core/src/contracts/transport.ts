/** A call outwards. */
export interface TransportRequest {
  readonly method: string;
  /** By names in lower case. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal;
  readonly tls?: TransportTls;
  /** URL of a proxy that carries the connection: `http`, `https`, `socks5` or `socks5h`. Where there is no connection, it counts for nothing. */
  readonly proxy?: string;
}

/** PEM texts. */
export interface TransportTls {
  readonly certificateAuthorities?: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly serverName?: string;
  readonly insecure?: boolean;
}

export interface TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body. */
  body(): Promise<Uint8Array>;
  /** The body as it arrives. */
  stream(): AsyncIterable<Uint8Array>;
}

/** Every call outwards goes through one: webhooks, keys of issuers, aggregated servers, clients. */
export interface Transport {
  request(url: string, request: TransportRequest): Promise<TransportResponse>;
  /**
   * Ends the connections on which the caller showed this certificate, because another one holds from now on: idle ones at
   * once, others as soon as they have answered. Answers that are still arriving, as those of watches, break off. Absent
   * where there are no connections, or they are not kept.
   */
  closeConnections?(certificate: string): void;
}
