import type { Server as HttpsServer } from 'node:https';
import type { TLSSocket } from 'node:tls';

/** What Node notes of a connection of HTTP/1.1. */
interface ConnectionNotes {
  /** Whether it has paused the connection because of a response that has not been sent, which pauses the parser with it. */
  readonly _paused?: boolean;
}

/**
 * Lets connections of TLS read on after Node has paused their parser. It pauses it when a request arrives while the response before is
 * still being sent, which the client may have received already. But the parser reads TLS itself, record by record in one go: the next
 * record of the request would meet a paused parser, which rejects it as malformed. Such a connection is read through its stream from
 * then on, which keeps what arrives meanwhile.
 */
export function keepPausedParsers(server: HttpsServer): void {
  server.on('secureConnection', keepPausedParser);
}

function keepPausedParser(socket: TLSSocket): void {
  if (socket.alpnProtocol === 'h2') return;
  const notes = socket as TLSSocket & ConnectionNotes;
  const { pause } = socket;
  let isStream = false;
  socket.pause = () => {
    if (notes._paused && !isStream) {
      isStream = true;
      // with a listener besides Node's, the parser is given what the stream has read
      socket.on('data', () => {});
    }
    return pause.call(socket);
  };
}
