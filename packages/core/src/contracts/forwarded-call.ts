import type { Turns } from './ambient.ts';
import type { ByteConnection } from './byte-connection.ts';
import type { TransportTls } from './transport-tls.ts';

/** A header field, as sent. */
export type HeaderLine = readonly [name: string, value: string];

/** A request of somebody else that is passed on to another server. */
export interface ForwardedCall {
  readonly method: string;
  /** Path and query, sent as they are. */
  readonly target: string;
  /** In order; repeated fields stay separate. A body without a `content-length` is sent in chunks. */
  readonly headers: readonly HeaderLine[];
  /** Read as fast as the other server takes it. */
  readonly body?: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
  readonly tls?: TransportTls;
  /** With whom reading a response that comes in many pieces shares the thread. Without them it is read at once. */
  readonly turns?: Turns;
  /** Whether the response may switch protocols; the header says to which. */
  readonly switchesProtocols?: boolean;
}

/** What the other server answers. */
export interface ForwardedResponse {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  /** The body as it arrives, for one reader: as fast as it reads. A result that nobody reads is discarded by `signal`. */
  stream(): AsyncIterable<Uint8Array>;
  /** Instead of a body, if the status is 101. */
  readonly connection?: ByteConnection;
}
