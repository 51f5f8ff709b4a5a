import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';

/** A certificate for clients that ask for certain names. */
export interface NamedCertificate extends Pick<ListenTls, 'certificate' | 'key'> {
  /** Names in lower case, such as `api.example.org` and `*.example.org`; by default those within the certificate. */
  readonly names?: readonly string[];
}

/** TLS settings. All values are PEM. */
export interface ListenTls {
  /** The served certificate, followed by its intermediates. */
  readonly certificate: string;
  readonly key: string;
  /** Certificates for clients that ask for other names; of several for one name the first counts. */
  readonly named?: readonly NamedCertificate[];
  /**
   * CAs that verify client certificates. With them a client certificate is requested; clients without one are
   * accepted, too.
   */
  readonly clientCertificateAuthorities?: string;
  /** Default TLS 1.2. */
  readonly minimumVersion?: 'TLSv1.2' | 'TLSv1.3';
  /**
   * Cipher names of OpenSSL, separated by colons, the preferred one first. Default: Node's, of which AES with 128 bits is preferred, as by
   * servers in Go: long lists cost a tenth less than with 256 bits.
   * A list that names no security level has level 1, which accepts RSA keys of 1024 bits, on every release of Node.
   */
  readonly ciphers?: string;
  /** Whether to offer HTTP/2. Default true. */
  readonly http2?: boolean;
}

/** Address, TLS and limits of a listener. */
export interface ListenOptions {
  /**
   * A server of the host that has no listener of requests yet; TLS and limits of connections are then its own. A server that answers other
   * requests, too, calls what `toNodeListener` returns.
   */
  readonly server?: HttpServer | HttpsServer;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /**
   * A unix socket instead of host and port; only its owner can use it (mode 0600). A stale socket file is
   * replaced.
   */
  readonly path?: string;
  /** TLS settings; by default the listener serves plain HTTP/1.1. */
  readonly tls?: ListenTls;
  /** Called with errors that clients do not see: of the handler and of streams. By default they are printed. */
  readonly onError?: (error: unknown) => void;
  /**
   * Minimum time between two writes of a busy stream, longer while many are written; see `FlushSchedule`. Default 0.25; 0 writes
   * at the end of every turn.
   */
  readonly coalesceMilliseconds?: number;
  /** Buffered bytes of a stream above which `ByteSink.write` returns false. Default 1 MiB. */
  readonly sinkHighWaterMark?: number;
  /** Maximum size of request line and header, in bytes; a larger one is rejected with 431. Default 256 KiB. */
  readonly maximumHeaderBytes?: number;
  /**
   * Maximum number of header lines; a request with more is rejected: over HTTP/1.1 with 431, over HTTP/2 with
   * a stream reset. Default 1,024.
   */
  readonly maximumHeaderLines?: number;
  /** Timeout of the TLS handshake. Default 10,000. */
  readonly handshakeMilliseconds?: number;
  /** Timeout of the request header. Default 32,000. */
  readonly headersMilliseconds?: number;
  /** Timeout of a complete request. Default 300,000. */
  readonly requestMilliseconds?: number;
  /** How long a client may send nothing while its body is read; then reading fails with 408. Default 10,000. */
  readonly bodySilenceMilliseconds?: number;
  /** How long idle connections stay open. Default 90,000. */
  readonly keepAliveMilliseconds?: number;
  /** Maximum number of connections; others are closed immediately. Default: unlimited. */
  readonly maximumConnections?: number;
  /** Maximum number of concurrent requests on one HTTP/2 connection. Default 100. */
  readonly maximumConcurrentStreams?: number;
  /**
   * Share of HTTP/2 requests, 0 to 1, after which their connection accepts no others (GOAWAY), so that clients are spread over several
   * servers. Default 0.
   */
  readonly goawayChance?: number;
}
