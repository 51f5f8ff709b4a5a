import { type Handler, printErrors, type Turns } from '@ashlar/core';
import { FairTurns } from '../ambient/fair-turns.ts';
import { Pipelines } from '../connection/pipelines.ts';
import type { NodeRequest } from '../request/node-request.ts';
import { FlushSchedule } from './flush-schedule.ts';
import type { ListenOptions } from './listen-options.ts';
import { ListenerRounds } from './listener-rounds.ts';
import type { OwnHosts } from './node-connection.ts';
import { MAXIMUM_HEADER_LINES } from './refused-head.ts';

/** State that all exchanges of one listener share. */
export interface ExchangeContext {
  readonly handler: Handler;
  /** Whether the listener has created the server: nobody else has changed its responses. */
  readonly ownsServer: boolean;
  readonly schedule: FlushSchedule;
  /** The turns of connections whose reads take long. */
  readonly turns: Turns;
  /** The rounds in which requests begin that arrive together, by their connections; those of HTTP/1.1 with a body begin at once. */
  readonly rounds: ListenerRounds;
  readonly pipelines: Pipelines;
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

/** The options that concern requests, not sockets. */
export type ExchangeOptions = Pick<
  ListenOptions,
  'onError' | 'coalesceMilliseconds' | 'sinkHighWaterMark' | 'maximumHeaderLines' | 'bodySilenceMilliseconds'
>;

/** Creates the state of a listener. */
export function createExchangeContext(
  handler: Handler,
  ownHosts: OwnHosts,
  options: ExchangeOptions,
  ownsServer: boolean = false,
): ExchangeContext {
  const onError = options.onError ?? printErrors('listener');
  const turns = new FairTurns();
  const schedule = new FlushSchedule(options.coalesceMilliseconds ?? 0.25, onError);
  const rounds = new ListenerRounds(schedule);
  return {
    handler,
    ownsServer,
    schedule,
    turns,
    rounds,
    pipelines: new Pipelines(rounds, turns),
    sinkHighWaterMark: options.sinkHighWaterMark ?? 1024 * 1024,
    ownHosts,
    maximumHeaderLines: options.maximumHeaderLines ?? MAXIMUM_HEADER_LINES,
    silenceMilliseconds: options.bodySilenceMilliseconds ?? 10_000,
    onError,
    streams: new Map(),
    draining: false,
  };
}
