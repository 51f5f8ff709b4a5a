import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import type { Connection } from '@ashlar/core';

/** Where the listener of a connection is found. */
export type OwnHosts = NonNullable<Connection['ownHosts']>;

/**
 * The other end of a socket. The chain of the caller's certificate is looked at once, when somebody asks.
 */
export class NodeConnection implements Connection {
  readonly encrypted: boolean;
  readonly remoteAddress: string;
  readonly ownHosts: OwnHosts;
  readonly #socket: Socket;
  #verdict: Verdict | undefined;

  constructor(socket: Socket, ownHosts: OwnHosts) {
    this.#socket = socket;
    this.ownHosts = ownHosts;
    this.encrypted = socket instanceof TLSSocket;
    this.remoteAddress = socket.remoteAddress ?? '';
  }

  /** The verified chain, leaf first, in DER; undefined if none was presented or none is trusted. */
  get clientCertificates(): readonly Uint8Array[] | undefined {
    this.#verdict ??= judge(this.#socket);
    return this.#verdict.chain;
  }

  /** Why a certificate that was presented is not trusted; undefined if none was presented or it is trusted. */
  get clientCertificateError(): string | undefined {
    this.#verdict ??= judge(this.#socket);
    return this.#verdict.error;
  }
}

interface Verdict {
  readonly chain?: readonly Uint8Array[] | undefined;
  readonly error?: string;
}

function judge(socket: Socket): Verdict {
  if (!(socket instanceof TLSSocket)) return {};
  if (socket.authorized) return { chain: verifiedChain(socket) };
  if (socket.getPeerX509Certificate() === undefined) return {};
  return { error: String((socket.authorizationError as Error | string | null) ?? 'not verified') };
}

/**
 * OpenSSL has verified some chain for the leaf, but Node joins the certificates it shows by their names alone: each
 * link is checked again, so that a caller who sends a certificate of a borrowed name gains nothing by it.
 */
function verifiedChain(socket: TLSSocket): readonly Uint8Array[] | undefined {
  let shown: PeerCertificate | undefined = socket.getPeerCertificate(true);
  if (!shown?.raw) return undefined;
  const chain: Uint8Array[] = [];
  for (let below: X509Certificate | undefined; shown?.raw; shown = issuerOf(shown)) {
    const certificate = new X509Certificate(shown.raw);
    if (below && !(below.checkIssued(certificate) && below.verify(certificate.publicKey))) break;
    chain.push(shown.raw);
    below = certificate;
  }
  return chain;
}

function issuerOf(certificate: PeerCertificate): PeerCertificate | undefined {
  const issuer = (certificate as { issuerCertificate?: PeerCertificate }).issuerCertificate;
  return issuer === certificate ? undefined : issuer;
}

const connections = new WeakMap<Socket, NodeConnection>();

/** The connection of a socket: one for all its requests. */
export function connectionOf(socket: Socket, ownHosts: OwnHosts): NodeConnection {
  let connection = connections.get(socket);
  if (!connection) {
    connection = new NodeConnection(socket, ownHosts);
    connections.set(socket, connection);
  }
  return connection;
}
