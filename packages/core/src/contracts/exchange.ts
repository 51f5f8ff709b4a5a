import type { ByteConnection, ProtocolOffer } from './byte-connection.ts';
import type { WebSocketOffer, WebSocketUpgrade } from './message-socket.ts';

/** Header fields of a request. Names are case-insensitive, repeated fields stay separate. */
export interface RequestHeaders {
  /** The first field of that name, or undefined. */
  get(name: string): string | undefined;
  /** All fields of that name, in order. */
  all(name: string): readonly string[];
  /** All fields, names in lower case. */
  entries(): Iterable<readonly [name: string, value: string]>;
  /**
   * Whether a field has a name with that prefix, in lower case; absent if that costs as much as reading all
   * fields.
   */
  someBegin?(prefix: string): boolean;
  /** Number of characters of all names and values; absent if that is unknown. */
  readonly size?: number;
}

/** Properties of the peer of a connection. */
export interface Connection {
  readonly encrypted: boolean;
  readonly remoteAddress?: string;
  /**
   * The names and addresses that the listener was configured with, in lower case; `any` if no network leads
   * to it, such as a unix socket. Absent if unknown.
   */
  readonly ownHosts?: readonly string[] | 'any';
  /**
   * The verified certificate chain of the caller, leaf first, in DER; undefined if none was presented or none
   * is trusted.
   */
  readonly clientCertificates?: readonly Uint8Array[] | undefined;
  /** Why a presented certificate is not trusted. */
  readonly clientCertificateError?: string | undefined;
}

/**
 * One request, independent of any transport: neither web streams nor Node streams tax the hot path.
 * `url` is the request target: path and query, as sent.
 */
export interface ServerRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly connection: Connection;
  /** Whether background work of the server itself makes the request: nobody waits for it, and long work does not let it go first. Default: false */
  readonly isBackground?: boolean;
  /** Present if the caller asks for a WebSocket and the host can accept one. */
  readonly webSocket?: WebSocketOffer | undefined;
  /** Present if the caller asks for another protocol, which may be a WebSocket, and the host can hand over the connection. */
  readonly upgrade?: ProtocolOffer | undefined;
  /** Aborted when the caller disconnects. Created on first access. */
  readonly signal: AbortSignal;
  /**
   * The complete body.
   * @throws StatusError 413 if it is longer than `limit` bytes
   */
  body(limit: number): Promise<Uint8Array>;
  /**
   * Instead of `body`: the body as it arrives, as fast as it is read. Undefined if there is none; absent if the host
   * only has complete bodies.
   * @throws StatusError 408 from the iterator if the caller stops sending
   */
  bodyStream?(): AsyncIterable<Uint8Array> | undefined;
}

/** Destination of a streaming body. */
export interface ByteSink {
  /**
   * Queues bytes, to be sent together with everything else queued in this turn; never blocks.
   * False if more is queued than the sink wants to buffer: a caller that continues fills memory for a slow
   * reader.
   */
  write(bytes: Uint8Array): boolean;
  /** Bytes accepted and not yet handed to the network. */
  readonly buffered: number;
  /** Calls back once when everything queued has been handed to the network. */
  onDrain(call: () => void): void;
  /**
   * Calls back once, soon, right before bytes are handed to the network, to queue what shall go with them; also while the network takes
   * none. A sink without it hands over what is queued when it can.
   */
  beforeFlush?(call: () => void): void;
  /** Calls back once when the peer has disconnected or the body has ended. */
  onClose(call: () => void): void;
  /** Ends the body cleanly. */
  end(): void;
  /** Resets the connection (HTTP/1.1) or the stream (HTTP/2). */
  destroy(): void;
}

/**
 * Pieces that are generated when they are read, the same ones each time, for bodies that should not be in
 * memory all at once.
 */
export interface SizedPieces extends Iterable<Uint8Array> {
  /** Size of all pieces in bytes. */
  readonly size: number;
}

/** A body in pieces, in memory or generated one by one. */
export type BodyPieces = readonly Uint8Array[] | SizedPieces;

/** Size of a body in pieces in bytes. */
export function sizeOfPieces(pieces: BodyPieces): number {
  if ('size' in pieces) return pieces.size;
  let size = 0;
  for (const piece of pieces) size += piece.length;
  return size;
}

/** The body of a response: bytes, bytes in pieces, or a function that writes as it goes. */
export type ResponseBody = Uint8Array | BodyPieces | ((sink: ByteSink) => void);

/** One response. Header names in lower case; an array is sent as several fields. */
export interface ServerResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: ResponseBody | undefined;
  /**
   * Instead of a body, and only for a request with `webSocket`: the connection becomes a WebSocket. The
   * status is 101.
   */
  readonly upgrade?: WebSocketUpgrade | undefined;
  /**
   * Instead of a body, and only for a request with `upgrade`: the connection carries another protocol after this
   * header. The status is 101, and the header says which protocol.
   */
  readonly switchProtocols?: ((connection: ByteConnection) => void) | undefined;
}

/**
 * Answers a request, without a promise if the response is available immediately. Errors become responses
 * inside; an exception or a rejected promise is a bug of the handler.
 */
export type Handler = (request: ServerRequest) => ServerResponse | Promise<ServerResponse>;

/** Wraps a handler. */
export type Filter = (next: Handler) => Handler;
