import type { Handler } from '@ashlar/core';
import type { FlushSchedule } from './flush-schedule.ts';
import type { OwnHosts } from './node-connection.ts';
import type { NodeRequest } from './node-request.ts';

/** What every exchange of one listener shares. */
export interface ExchangeContext {
  readonly handler: Handler;
  readonly schedule: FlushSchedule;
  /** Bytes beyond which `ByteSink.write` answers false. */
  readonly sinkHighWaterMark: number;
  /** Where the listener is found. */
  readonly ownHosts: OwnHosts;
  /** Lines of a head beyond which a request is rejected. */
  readonly maximumHeaderLines: number;
  /** How long the sender of a body may be silent. */
  readonly silenceMilliseconds: number;
  readonly onError: (error: unknown) => void;
  /** Streaming responses and WebSockets that are open, with the requests that asked for them. */
  readonly streams: Map<object, NodeRequest>;
  /** True from the moment the listener is asked to close. */
  draining: boolean;
}
