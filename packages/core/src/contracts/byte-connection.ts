import type { MaybePromise } from './maybe-promise.ts';

/** One end of a connection that carries the bytes of another protocol, after a request has switched to it (RFC 9110 section 7.8). */
export interface ByteConnection {
  /**
   * Bytes from the peer until it ends its side. For one reader: while it does not ask, nothing is taken from the network.
   * @throws Error if the connection breaks
   */
  receive(): AsyncIterable<Uint8Array>;
  /** Sends bytes. A promise is fulfilled when the connection takes more, or is closed; it is never rejected. */
  send(bytes: Uint8Array): MaybePromise<void>;
  /** Ends this side after everything sent. */
  end(): void;
  /** Resets the connection. */
  destroy(): void;
  /** Calls back once when the connection is closed. */
  onClose(call: () => void): void;
}

/** A request that can be answered by switching protocols. */
export interface ProtocolOffer {
  /** As the caller writes it: `websocket`, `SPDY/3.1`. */
  readonly protocol: string;
}
