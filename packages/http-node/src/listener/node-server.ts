import { constants } from 'node:crypto';
import { createServer as createHttpServer, type Server as HttpServer, type ServerOptions } from 'node:http';
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https';
import { DEFAULT_CIPHERS, type SecureContextOptions, type TlsOptions } from 'node:tls';
import { isOfTls13, isUsualList, withShortKeys } from '../connection/cipher-list.ts';
import { keepPausedParsers } from '../connection/paused-parsers.ts';
import { IncomingRequest } from '../request/incoming-request.ts';
import type { ListenOptions, ListenTls } from './listen-options.ts';
import type { ContextOfName } from './named-certificates.ts';
import { MAXIMUM_HEADER_BYTES, MAXIMUM_HEADER_LINES } from './refused-head.ts';
import { respondUnreadable } from './unreadable-request.ts';

/**
 * Creates a server of Node that is not listening yet. The parser is Node's strict one: ambiguous requests are
 * rejected.
 * @param contextOfName selects a certificate by the name that a client asks for
 */
export function createNodeServer(
  options: ListenOptions,
  contextOfName?: ContextOfName,
): HttpServer | HttpsServer {
  const http = httpOptions(options);
  const server = options.tls
    ? createHttpsServer({
        ...{ ...http, ...handshakeOptions(options), ...secureContextOptions(options.tls) },
        ...(contextOfName && { SNICallback: selectingBy(contextOfName) }),
      })
    : createHttpServer(http);
  // Node silently drops header lines beyond its limit: it keeps one more than are allowed, by which the
  // request is rejected
  server.maxHeadersCount = (options.maximumHeaderLines ?? MAXIMUM_HEADER_LINES) + 1;
  respondUnreadable(server);
  if (isHttps(server)) keepPausedParsers(server);
  return server;
}

const selectingBy =
  (contextOfName: ContextOfName): NonNullable<TlsOptions['SNICallback']> =>
  (name, done) =>
    done(null, contextOfName(name));

function httpOptions(options: ListenOptions): ServerOptions {
  return {
    IncomingMessage: IncomingRequest,
    insecureHTTPParser: false,
    // Node would reject the request and continue with pipelined ones: the listener checks it itself
    requireHostHeader: false,
    maxHeaderSize: options.maximumHeaderBytes ?? MAXIMUM_HEADER_BYTES,
    headersTimeout: options.headersMilliseconds ?? 32_000,
    requestTimeout: options.requestMilliseconds ?? 300_000,
    keepAliveTimeout: options.keepAliveMilliseconds ?? 90_000,
    connectionsCheckingInterval: 5_000,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 15_000,
  };
}

function handshakeOptions({ tls, handshakeMilliseconds }: ListenOptions): TlsOptions {
  return {
    handshakeTimeout: handshakeMilliseconds ?? 10_000,
    ALPNProtocols: tls?.http2 === false ? ['http/1.1'] : ['h2', 'http/1.1'],
    requestCert: tls?.clientCertificateAuthorities !== undefined,
    rejectUnauthorized: false,
  };
}

const FASTEST = 'TLS_AES_128_GCM_SHA256';

/** A list that was given to the process stays as it is. */
const preferredCiphers: string = isUsualList
  ? withShortKeys([FASTEST, ...DEFAULT_CIPHERS.split(':').filter((name) => name !== FASTEST)].join(':'))
  : DEFAULT_CIPHERS;

/** The TLS options that can be changed while the server listens. */
export function secureContextOptions(tls: ListenTls): SecureContextOptions {
  const { ciphers, clientCertificateAuthorities: authorities } = tls;
  return {
    cert: tls.certificate,
    key: tls.key,
    minVersion: isOfTls13(ciphers) ? 'TLSv1.3' : (tls.minimumVersion ?? 'TLSv1.2'),
    ciphers: ciphers === undefined ? preferredCiphers : withShortKeys(ciphers),
    ...(authorities !== undefined && {
      ca: authorities,
      // a resumed session would restore an outdated verification result of a certificate
      secureOptions: constants.SSL_OP_NO_TICKET,
    }),
  };
}

/** Whether TLS is enabled for a server. */
export function isHttps(server: HttpServer | HttpsServer): server is HttpsServer {
  return server instanceof HttpsServer;
}
