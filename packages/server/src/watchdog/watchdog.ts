import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { CodedError, type Handler, type Metrics, type ServerRequest } from '@ashlar/core';
import {
  BEAT_MILLISECONDS,
  HEAD_BYTES,
  PLACES,
  REQUEST_BYTES,
  REQUESTS,
  watchdogThread,
} from './watchdog-thread.ts';

export interface WatchdogOptions {
  /** How long the event loop may be blocked before it is reported, in milliseconds. Default 1,000. */
  readonly reportMilliseconds?: number;
  /**
   * How long it may be blocked before the process is killed (SIGKILL), in milliseconds; 0 disables this. Default 20,000. While the loop is
   * blocked, Node handles no signal.
   */
  readonly endMilliseconds?: number;
  /** Registry of the metrics `ashlar_event_loop_blocks_total`, `ashlar_event_loop_blocked_seconds_total`. */
  readonly metrics?: Metrics;
  /** Called after each block. While the loop is blocked, the thread reports to stderr. */
  readonly onError?: (error: EventLoopBlockedError) => void;
}

/** The event loop was blocked, and no request was answered meanwhile. */
export class EventLoopBlockedError extends CodedError {
  static override readonly code: string = 'ERR_EVENT_LOOP_BLOCKED';
  override readonly name: string = 'EventLoopBlockedError';
  readonly milliseconds: number;
  /** Method and path of the last requests before or during the block, latest first; at most four. */
  readonly requests: readonly string[];

  constructor(milliseconds: number, requests: readonly string[]) {
    const last =
      requests.length === 0 ? 'no request was received' : `the last requests: ${requests.join(', ')}`;
    super(`the event loop was blocked for ${(milliseconds / 1000).toFixed(1)} s; ${last}`);
    this.milliseconds = milliseconds;
    this.requests = requests;
  }
}

/** A thread that detects when the event loop is blocked. */
export interface Watchdog extends Disposable {
  /** Returns a handler that records its requests for the reports of the watchdog. */
  watched(handler: Handler): Handler;
  /** Kills the process unless it exits within that time, whether the event loop is blocked or not. */
  endWithin(milliseconds: number): void;
}

/**
 * Starts a thread that reports when the event loop is blocked, with the last requests, and kills a process that stays blocked.
 * @example
 * using watchdog = startWatchdog({ metrics: server.metrics, onError: console.error });
 * await using listener = await listen(watchdog.watched(server.handler));
 */
export function startWatchdog(options: WatchdogOptions = {}): Watchdog {
  return new NodeWatchdog(options);
}

const DEFAULT_REPORT_MILLISECONDS = 1_000;
const DEFAULT_END_MILLISECONDS = 20_000;

class NodeWatchdog implements Watchdog {
  readonly #numbers: Int32Array;
  readonly #texts: readonly Uint8Array[];
  readonly #heartbeat: NodeJS.Timeout;
  /** The bytes of `#texts` after the length. */
  readonly #textBytes: readonly Uint8Array[];
  readonly #encoder = new TextEncoder();
  #entered = 0;

  constructor({ reportMilliseconds, endMilliseconds, metrics, onError }: WatchdogOptions) {
    const shared = new SharedArrayBuffer(HEAD_BYTES + REQUESTS * REQUEST_BYTES);
    this.#numbers = new Int32Array(shared, 0, HEAD_BYTES / 4);
    this.#texts = Array.from(
      { length: REQUESTS },
      (_, i) => new Uint8Array(shared, HEAD_BYTES + i * REQUEST_BYTES, REQUEST_BYTES),
    );
    this.#textBytes = this.#texts.map((text) => text.subarray(1));
    const longest = reportMilliseconds ?? DEFAULT_REPORT_MILLISECONDS;
    const count = metrics && counters(metrics);
    const report = (milliseconds: number): void => {
      count?.(milliseconds);
      onError?.(new EventLoopBlockedError(milliseconds, this.#requests()));
    };
    this.#heartbeat = this.#startHeartbeat(report);
    const worker = new Worker(watchdogThread, {
      eval: true,
      execArgv: [],
      workerData: {
        shared,
        reportBeats: beatsIn(longest),
        endBeats: beatsIn(endMilliseconds ?? DEFAULT_END_MILLISECONDS),
        places: PLACES,
        sizes: {
          beat: BEAT_MILLISECONDS,
          head: HEAD_BYTES,
          requests: REQUESTS,
          request: REQUEST_BYTES,
        },
      },
    });
    worker.unref();
  }

  watched(handler: Handler): Handler {
    return (request) => {
      this.#enter(request);
      // a body is processed once it has arrived, and other requests may have arrived meanwhile
      if (request.method !== 'GET') this.#enterWithBody(request);
      return handler(request);
    };
  }

  endWithin(milliseconds: number): void {
    Atomics.store(this.#numbers, PLACES.endBefore, Math.max(1, beatsIn(milliseconds)));
  }

  [Symbol.dispose](): void {
    clearInterval(this.#heartbeat);
    Atomics.store(this.#numbers, PLACES.isClosed, 1);
    Atomics.notify(this.#numbers, PLACES.isClosed);
  }

  /** A block that the thread has reported is over at the next heartbeat. */
  #startHeartbeat(report: (milliseconds: number) => void): NodeJS.Timeout {
    let last = performance.now();
    let reports = 0;
    return setInterval(() => {
      const now = performance.now();
      const blocked = now - last;
      last = now;
      Atomics.add(this.#numbers, PLACES.heartbeat, 1);
      const reported = Atomics.load(this.#numbers, PLACES.reports);
      if (reported !== reports) report(blocked);
      reports = reported;
    }, BEAT_MILLISECONDS).unref();
  }

  /** Records a request. This runs for every request, so it only encodes a short text; the query is removed when the text is read. */
  #enter({ method, url }: ServerRequest): void {
    const at = this.#entered % REQUESTS;
    const short = url.length > REQUEST_BYTES ? url.slice(0, REQUEST_BYTES) : url;
    const { written } = this.#encoder.encodeInto(`${method} ${short}`, this.#textBytes[at] as Uint8Array);
    (this.#texts[at] as Uint8Array)[0] = written;
    this.#entered = (this.#entered + 1) & 0x3fffffff;
    this.#numbers[PLACES.entered] = this.#entered;
  }

  #enterWithBody(request: ServerRequest): void {
    const { body } = request;
    const entered = (bytes: Uint8Array): Uint8Array => {
      this.#enter(request);
      return bytes;
    };
    request.body = (limit) => body.call(request, limit).then(entered);
  }

  #requests(): readonly string[] {
    const decoder = new TextDecoder();
    const count = Math.min(this.#entered, REQUESTS);
    return Array.from({ length: count }, (_, i) => {
      const text = this.#texts[(this.#entered - 1 - i) % REQUESTS] as Uint8Array;
      return JSON.stringify(decoder.decode(text.slice(1, 1 + (text[0] as number))).split('?')[0]);
    });
  }
}

const beatsIn = (milliseconds: number): number => Math.ceil(milliseconds / BEAT_MILLISECONDS);

function counters(metrics: Metrics): (milliseconds: number) => void {
  const blocks = metrics
    .counter({
      name: 'ashlar_event_loop_blocks_total',
      help: 'Number of times the event loop was blocked for longer than the watchdog allows.',
      labels: [],
    })
    .of([]);
  const seconds = metrics
    .counter({
      name: 'ashlar_event_loop_blocked_seconds_total',
      help: 'Total time for which the event loop was blocked in those cases.',
      labels: [],
    })
    .of([]);
  return (milliseconds) => {
    blocks.add();
    seconds.add(milliseconds / 1000);
  };
}
