import type { Server as HttpsServer } from 'node:https';
import type { PeerCertificate, TLSSocket } from 'node:tls';

/** Where a socket keeps its chain: sessions of HTTP/2 show another object in place of the socket, with the same properties. */
const CHAIN: unique symbol = Symbol('certificates of the client');

type ReadSocket = TLSSocket & { [CHAIN]?: readonly Uint8Array[] };

/**
 * Reads the certificates of clients as soon as a handshake is complete. Some releases of Node, as 24.21, ask for the leaf then, which
 * takes the intermediate ones away from all who ask later. The event of session secrets, which are not looked at, is the only one that names the
 * socket before.
 */
export function keepShownChains(server: HttpsServer): void {
  const expected = new WeakSet<TLSSocket>();
  server.on('keylog', (_secrets, socket: ReadSocket) => {
    if (expected.has(socket)) return;
    expected.add(socket);
    socket.prependOnceListener('secure', () => {
      const chain = readChain(socket);
      if (chain.length > 0) socket[CHAIN] = chain;
    });
  });
}

/**
 * Returns the certificates that a client has shown and those that Node knows above them, in DER, leaf first. Node links them by their names
 * alone.
 */
export function shownChain(socket: TLSSocket): readonly Uint8Array[] {
  return (socket as ReadSocket)[CHAIN] ?? readChain(socket);
}

function readChain(socket: TLSSocket): readonly Uint8Array[] {
  const chain: Uint8Array[] = [];
  let shown: PeerCertificate | undefined = socket.getPeerCertificate(true);
  for (; shown?.raw; shown = issuerOf(shown)) chain.push(shown.raw);
  return chain;
}

function issuerOf(certificate: PeerCertificate): PeerCertificate | undefined {
  const issuer = (certificate as { issuerCertificate?: PeerCertificate }).issuerCertificate;
  return issuer === certificate ? undefined : issuer;
}
