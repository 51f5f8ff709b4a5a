import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Connection } from '@ashlar/core';
import { shownChain } from './shown-chains.ts';

/** The address of a connection's listener. */
export type OwnHosts = NonNullable<Connection['ownHosts']>;

/** The peer of a socket. The chain of its certificate is read once, on first use. */
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
    this.#verdict ??= clientVerdict(this.#socket);
    return this.#verdict.chain;
  }

  /** Why a presented certificate is not trusted; undefined if none was presented or it is trusted. */
  get clientCertificateError(): string | undefined {
    this.#verdict ??= clientVerdict(this.#socket);
    return this.#verdict.error;
  }
}

interface Verdict {
  readonly chain?: readonly Uint8Array[] | undefined;
  readonly error?: string;
}

function clientVerdict(socket: Socket): Verdict {
  if (!(socket instanceof TLSSocket)) return {};
  if (socket.authorized) return { chain: verifiedChain(socket) };
  if (socket.getPeerX509Certificate() === undefined) return {};
  return { error: String((socket.authorizationError as Error | string | null) ?? 'not verified') };
}

/**
 * OpenSSL has verified some chain for the leaf, but the shown one is linked by names alone: each link is verified again, so that a certificate with
 * a borrowed name is useless.
 */
function verifiedChain(socket: TLSSocket): readonly Uint8Array[] | undefined {
  const chain: Uint8Array[] = [];
  let below: X509Certificate | undefined;
  for (const der of shownChain(socket)) {
    const certificate = new X509Certificate(der);
    if (below && !(below.checkIssued(certificate) && below.verify(certificate.publicKey))) break;
    chain.push(der);
    below = certificate;
  }
  return chain.length > 0 ? chain : undefined;
}

const connections = new WeakMap<Socket, NodeConnection>();

/** The connection of a socket, shared by all its requests. */
export function connectionOf(socket: Socket, ownHosts: OwnHosts): NodeConnection {
  let connection = connections.get(socket);
  if (!connection) {
    connection = new NodeConnection(socket, ownHosts);
    connections.set(socket, connection);
  }
  return connection;
}
