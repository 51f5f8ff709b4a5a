import type { WebSocketOffer, WebSocketUpgrade } from './message-socket.ts';

/** Header fields of a request; names in any case, repeated fields kept apart. */
export interface RequestHeaders {
  /** The first line of that name, or undefined. */
  get(name: string): string | undefined;
  /** Every line of that name, in order. */
  all(name: string): readonly string[];
  /** Every line, names in lower case. */
  entries(): Iterable<readonly [name: string, value: string]>;
  /** Whether a line's name begins so, in lower case; absent if that costs as much as looking at all of them. */
  someBegin?(prefix: string): boolean;
}

/** Properties of the other end of a connection. */
export interface Connection {
  readonly encrypted: boolean;
  readonly remoteAddress?: string;
  /**
   * The names and addresses that the listener was given to listen on, in lower case; `any` where no network leads to it, as to a
   * unix socket. Absent if it is unknown.
   */
  readonly ownHosts?: readonly string[] | 'any';
  /** The verified chain of the caller's certificate, leaf first, in DER; undefined if none was presented or none is trusted. */
  readonly clientCertificates?: readonly Uint8Array[] | undefined;
  /** Why a certificate that was presented is not trusted. */
  readonly clientCertificateError?: string | undefined;
}

/**
 * One request, free of any transport: neither web streams nor Node streams tax the hot path.
 * `url` is the request target: path and query, as sent.
 */
export interface ServerRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly connection: Connection;
  /** Where the caller asks for a WebSocket, and the host can take that up. */
  readonly webSocket?: WebSocketOffer | undefined;
  /** Aborted when the caller goes away. Made when first asked for. */
  readonly signal: AbortSignal;
  /**
   * The whole body.
   * @throws StatusError 413 if it is longer than `limit` bytes
   */
  body(limit: number): Promise<Uint8Array>;
}

/** Where a streaming body is written to. */
export interface ByteSink {
  /**
   * Queues bytes, to be sent together with what else is queued in this turn; never blocks.
   * False when more waits than the sink likes to hold: a caller that goes on is a slow reader's memory.
   */
  write(bytes: Uint8Array): boolean;
  /** Bytes accepted and not yet handed to the network. */
  readonly buffered: number;
  /** Calls once when everything queued has been handed on. */
  onDrain(call: () => void): void;
  /** Calls once when the other side is gone or the body has ended. */
  onClose(call: () => void): void;
  /** Ends the body cleanly. */
  end(): void;
  /** Cuts the connection (HTTP/1.1) or the stream (HTTP/2). */
  destroy(): void;
}

/** Pieces that are made when they are read, the same ones each time, for bodies that should not be in memory as a whole. */
export interface SizedPieces extends Iterable<Uint8Array> {
  /** Bytes of all pieces together. */
  readonly size: number;
}

/** A body in pieces, in memory or made one by one. */
export type BodyPieces = readonly Uint8Array[] | SizedPieces;

/** The body of a response: bytes, bytes in pieces, or a function that writes as it goes. */
export type ResponseBody = Uint8Array | BodyPieces | ((sink: ByteSink) => void);

/** One response. Header names in lower case; a list is sent as several lines. */
export interface ServerResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: ResponseBody | undefined;
  /** Instead of a body, and only for a request with `webSocket`: the connection becomes one. The status is 101. */
  readonly upgrade?: WebSocketUpgrade | undefined;
}

/**
 * Answers a request; what can be said at once is given without a promise. Errors become responses inside; what is thrown, and a rejected
 * promise, is a bug of the handler.
 */
export type Handler = (request: ServerRequest) => ServerResponse | Promise<ServerResponse>;

/** Wraps a handler. */
export type Filter = (next: Handler) => Handler;
