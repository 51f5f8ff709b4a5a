/** How TLS is served. All texts are PEM. */
export interface ListenTls {
  /** The served certificate, and those between it and a root. */
  readonly certificate: string;
  readonly key: string;
  /** Roots that callers' certificates are verified against. With them a certificate is asked for; without one the caller is let in all the same. */
  readonly clientCertificateAuthorities?: string;
  /** Default TLS 1.2. */
  readonly minimumVersion?: 'TLSv1.2' | 'TLSv1.3';
  /** Names of OpenSSL, joined by colons. Default: Node's. */
  readonly ciphers?: string;
  /** Whether HTTP/2 is offered. Default true. */
  readonly http2?: boolean;
}

/** Where to listen, how, and within which bounds. */
export interface ListenOptions {
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** Default 0: a free one. */
  readonly port?: number;
  /** A unix socket instead of host and port; readable by its owner alone (mode 0600). One left over by a dead process is replaced. */
  readonly path?: string;
  /** TLS settings; by default the listener serves plain HTTP/1.1. */
  readonly tls?: ListenTls;
  /** Called with errors that clients do not see: of the handler and of streams. By default they are ignored. */
  readonly onError?: (error: unknown) => void;
  /** Shortest time between two writes of a busy stream; see `FlushSchedule`. Default 4; 0 writes at the end of every turn. */
  readonly coalesceMilliseconds?: number;
  /** Bytes that a stream's reader may be behind before `ByteSink.write` answers false. Default 1 MiB. */
  readonly sinkHighWaterMark?: number;
  /** Request line and header lines together. Default 1 MiB. */
  readonly maximumHeaderBytes?: number;
  /** Header lines of a request; one with more is rejected: over HTTP/1.1 with 431, over HTTP/2 its stream is reset. Default 1,024. */
  readonly maximumHeaderLines?: number;
  /** Time for the handshake of TLS. Default 10,000. */
  readonly handshakeMilliseconds?: number;
  /** Time for the header lines of a request. Default 32,000. */
  readonly headersMilliseconds?: number;
  /** Time for a whole request to arrive. Default 300,000. */
  readonly requestMilliseconds?: number;
  /** How long the sender of a body that is read may be silent; then reading fails with 408. Default 10,000. */
  readonly bodySilenceMilliseconds?: number;
  /** How long idle connections stay open. Default 90,000. */
  readonly keepAliveMilliseconds?: number;
  /** Connections at a time; those beyond are closed at once. Default: no bound. */
  readonly maximumConnections?: number;
  /** Requests at a time on one HTTP/2 connection. Default 250. */
  readonly maximumConcurrentStreams?: number;
}
