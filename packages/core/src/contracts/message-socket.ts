/** Whether a message is UTF-8 text or bytes. */
export type MessageKind = 'text' | 'binary';

/** One end of a WebSocket (RFC 6455): complete messages in both directions, after the handshake. */
export interface MessageSocket {
  /**
   * Queues a message; never blocks. The bytes of a text are UTF-8.
   * False if more is queued than the socket wants to buffer: a caller that continues fills memory for a slow
   * reader.
   */
  send(message: Uint8Array, kind: MessageKind): boolean;
  /** Bytes accepted and not yet handed to the network. */
  readonly buffered: number;
  /**
   * Calls back for each message from the peer. Register it in `open`: messages without a receiver are
   * discarded.
   */
  onMessage(call: (message: Uint8Array, kind: MessageKind) => void): void;
  /** Calls back once when everything queued has been handed to the network. */
  onDrain(call: () => void): void;
  /** Calls back once when the connection is closed. */
  onClose(call: () => void): void;
  /** Closes after all queued messages. @param code of RFC 6455 section 7.4; default 1000, normal closure */
  close(code?: number): void;
  /** Resets the connection. */
  destroy(): void;
}

/** A request that can be upgraded to a WebSocket. */
export interface WebSocketOffer {
  /** Sub-protocols in the caller's order of preference. */
  readonly protocols: readonly string[];
}

/** Accepts an upgrade; the host does the handshake. */
export interface WebSocketUpgrade {
  /** The sub-protocol in use, one of those offered. */
  readonly protocol?: string | undefined;
  /** Called when the connection is established. */
  open(socket: MessageSocket): void;
}
