import type { Handler } from '@ashlar/core';
import type { FlushSchedule } from './flush-schedule.ts';
import type { OwnHosts } from './node-connection.ts';
import type { NodeRequest } from './node-request.ts';

/** State that all exchanges of one listener share. */
export interface ExchangeContext {
  readonly handler: Handler;
  readonly schedule: FlushSchedule;
  /** Buffered bytes above which `ByteSink.write` returns false. */
  readonly sinkHighWaterMark: number;
  /** The address of the listener. */
  readonly ownHosts: OwnHosts;
  /** Maximum number of header lines of a request. */
  readonly maximumHeaderLines: number;
  /** How long a client may send nothing while its body is read. */
  readonly silenceMilliseconds: number;
  readonly onError: (error: unknown) => void;
  /** Open streaming responses and WebSockets, with their requests. */
  readonly streams: Map<object, NodeRequest>;
  /** Whether the listener is closing. */
  draining: boolean;
}
