import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { MessageKind, MessageSocket, WebSocketOffer, WebSocketUpgrade } from '@ashlar/core';
import { type WebSocket, WebSocketServer } from 'ws';

/** Maximum size of a message from a client. */
const MAXIMUM_MESSAGE_BYTES = 1024 * 1024;

/** The sub-protocol that a handler has chosen for a request. */
const chosen = new WeakMap<IncomingMessage, string | undefined>();

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAXIMUM_MESSAGE_BYTES,
  handleProtocols: (_, request) => chosen.get(request) ?? false,
});

/**
 * Whether a request asks for a WebSocket (RFC 6455 section 4.1); its other header fields are checked in the
 * handshake.
 */
function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** The offer of a caller; undefined if it asks for no WebSocket. */
export function offerOf(incoming: IncomingMessage): WebSocketOffer | undefined {
  if (!asksForWebSocket(incoming)) return undefined;
  const { headers } = incoming;
  const line = headers['sec-websocket-protocol'] ?? '';
  const protocols = line.split(',').map((protocol) => protocol.trim());
  return { protocols: protocols.filter((protocol) => protocol !== '') };
}

/**
 * Performs the handshake and passes on the connection. An invalid handshake is answered with 400.
 * @param highWaterMark buffered bytes above which `send` returns false
 */
export function acceptWebSocket(
  { incoming, socket, head }: { incoming: IncomingMessage; socket: Socket; head: Buffer },
  { protocol, open }: WebSocketUpgrade,
  highWaterMark: number,
): void {
  chosen.set(incoming, protocol);
  server.handleUpgrade(incoming, socket, head, (webSocket) =>
    open(new NodeMessageSocket(webSocket, socket, highWaterMark)),
  );
}

class NodeMessageSocket implements MessageSocket {
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #highWaterMark: number;
  #closed = false;
  #gathering = false;

  constructor(webSocket: WebSocket, socket: Socket, highWaterMark: number) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#highWaterMark = highWaterMark;
    // a protocol error closes the connection, which `close` reports
    webSocket.on('error', () => {});
    webSocket.once('close', () => {
      this.#closed = true;
    });
  }

  get buffered(): number {
    return this.#webSocket.bufferedAmount;
  }

  send(message: Uint8Array, kind: MessageKind): boolean {
    if (this.#closed) return false;
    this.#gather();
    this.#webSocket.send(message, { binary: kind === 'binary' });
    return this.buffered <= this.#highWaterMark;
  }

  /**
   * Messages of one turn are sent together: separate ones would each cost a write of the socket, and a TLS
   * record.
   */
  #gather(): void {
    if (this.#gathering) return;
    this.#gathering = true;
    this.#socket.cork();
    setImmediate(() => {
      this.#gathering = false;
      this.#socket.uncork();
    });
  }

  onMessage(call: (message: Uint8Array, kind: MessageKind) => void): void {
    this.#webSocket.on('message', (data: Buffer, isBinary: boolean) =>
      call(data, isBinary ? 'binary' : 'text'),
    );
  }

  onDrain(call: () => void): void {
    if (this.#socket.writableNeedDrain) this.#socket.once('drain', call);
    else setImmediate(call);
  }

  onClose(call: () => void): void {
    if (this.#closed) call();
    else this.#webSocket.once('close', call);
  }

  close(code = 1000): void {
    this.#webSocket.close(code);
  }

  destroy(): void {
    this.#webSocket.terminate();
  }
}
