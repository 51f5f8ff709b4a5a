/** Whether a message is UTF-8 text or bytes. */
export type MessageKind = 'text' | 'binary';

/** One end of a WebSocket (RFC 6455): whole messages in both directions, after the handshake. */
export interface MessageSocket {
  /**
   * Queues a message; never blocks. The bytes of a text are UTF-8.
   * False when more waits than the socket likes to hold: a caller that goes on is a slow reader's memory.
   */
  send(message: Uint8Array, kind: MessageKind): boolean;
  /** Bytes accepted and not yet handed to the network. */
  readonly buffered: number;
  /** Calls back for each message of the other side. Register it in `open`: messages without a receiver are discarded. */
  onMessage(call: (message: Uint8Array, kind: MessageKind) => void): void;
  /** Calls once when everything queued has been handed on. */
  onDrain(call: () => void): void;
  /** Calls once when the connection is over. */
  onClose(call: () => void): void;
  /** Closes after all messages. @param code of RFC 6455 section 7.4; default 1000, the normal end */
  close(code?: number): void;
  /** Cuts the connection. */
  destroy(): void;
}

/** A request that could become a WebSocket: what the caller offers, on a host that can take it up. */
export interface WebSocketOffer {
  /** Sub-protocols in the order of the caller's preference. */
  readonly protocols: readonly string[];
}

/** Accepts an upgrade; the host does the handshake. */
export interface WebSocketUpgrade {
  /** The sub-protocol that is spoken, of those offered. */
  readonly protocol?: string | undefined;
  /** Called once the connection stands. */
  open(socket: MessageSocket): void;
}
