import type { Clock, MaybePromise, Vocabulary } from '@ashlar/core';
import type { EncodedEvent } from '../events/encoded-event.ts';
import { DEFAULT_MAXIMUM_EVENT_BYTES, truncateEvent } from '../events/truncate-event.ts';
import type { AuditSink } from './audit-sink.ts';
import { type BatchOptions, BatchQueue, DEFAULT_BUFFER_BYTES } from './batch-queue.ts';
import type { LostEvents } from './lost-events.ts';
import { SendsUnderWay } from './sends-under-way.ts';

/**
 * Who waits for a sink: nobody (`batch`), the request (`blocking`), or the request, which is refused if its first event cannot be stored
 * (`blocking-strict`).
 */
export type AuditMode = 'batch' | 'blocking' | 'blocking-strict';

/** Sizes above which events are cut and lists are divided. */
export interface TruncateOptions {
  /** Default 102,400 */
  readonly maximumEventBytes?: number;
  /** Default 10 MiB */
  readonly maximumBatchBytes?: number;
}

/** A sink and how events get there. */
export interface AuditBackendOptions {
  readonly sink: AuditSink;
  readonly mode: AuditMode;
  /** For the mode `batch`; `bufferBytes` limits what is under way in the other modes, too. */
  readonly batch?: BatchOptions;
  /** By default nothing is cut. */
  readonly truncate?: TruncateOptions;
}

/** What a backend needs of its server. */
export interface AuditBackendSurroundings {
  readonly clock: Clock;
  readonly vocabulary: Vocabulary;
  readonly lost: LostEvents;
}

/** Brings events to one sink. */
export class AuditBackend {
  readonly #options: AuditBackendOptions;
  readonly #surroundings: AuditBackendSurroundings;
  readonly #queue: BatchQueue | undefined;
  readonly #underWay = new SendsUnderWay();
  /** Why nothing is sent any more, while a flush whose time is over ends. */
  #givenUp: Error | undefined;

  constructor(options: AuditBackendOptions, surroundings: AuditBackendSurroundings) {
    this.#options = options;
    this.#surroundings = surroundings;
    const { maximumBatchBytes = 10 * 1024 * 1024 } = options.truncate ?? {};
    if (options.mode !== 'batch') return;
    this.#queue = new BatchQueue(options.batch ?? {}, surroundings.clock, {
      send: async (events) => void (await this.#send(events)),
      maximumBytes: options.truncate ? maximumBatchBytes : Number.POSITIVE_INFINITY,
    });
  }

  /** @returns false if the request must be refused */
  process(event: EncodedEvent): MaybePromise<boolean> {
    const fitting = this.#fitting(event);
    if (!fitting) return true;
    if (this.#queue ? this.#queue.add(fitting) : this.#hasRoom(fitting))
      return this.#queue ? true : this.#send([fitting]);
    this.#surroundings.lost.report('buffered', 1, new Error('the buffer of events is full'));
    return this.#options.mode !== 'blocking-strict';
  }

  /** Fulfilled when nothing waits or is under way any more. */
  async flush(): Promise<void> {
    await this.#queue?.flush();
    await this.#underWay.ended();
    this.#givenUp = undefined;
  }

  /** Has a flush end soon: what is not stored yet is lost. */
  giveUp(reason: Error): void {
    this.#givenUp = reason;
    this.#options.sink.giveUp?.(reason);
    this.#underWay.giveUp(reason);
  }

  /** Requests wait with their events, as many as there are: a sink that does not answer holds no more than a queue would. */
  #hasRoom({ size }: EncodedEvent): boolean {
    const { bufferBytes = DEFAULT_BUFFER_BYTES } = this.#options.batch ?? {};
    return this.#underWay.bytes === 0 || this.#underWay.bytes + size <= bufferBytes;
  }

  #fitting(event: EncodedEvent): EncodedEvent | undefined {
    const { truncate } = this.#options;
    if (!truncate) return event;
    const fitting = truncateEvent(
      event,
      truncate.maximumEventBytes ?? DEFAULT_MAXIMUM_EVENT_BYTES,
      this.#surroundings.vocabulary,
    );
    if (!fitting)
      this.#surroundings.lost.report('truncate', 1, new Error('the event is too large without its objects'));
    return fitting;
  }

  #send(events: readonly EncodedEvent[]): MaybePromise<boolean> {
    const failed = (error: unknown): boolean => {
      this.#surroundings.lost.report(this.#options.sink.name, events.length, error);
      return this.#options.mode !== 'blocking-strict';
    };
    if (this.#givenUp) return failed(this.#givenUp);
    try {
      const sent = this.#options.sink.send(events);
      if (!(sent instanceof Promise)) return true;
      const bytes = events.reduce((sum, { size }) => sum + size, 0);
      return this.#underWay.follow(sent, bytes).then(() => true, failed);
    } catch (error) {
      return failed(error);
    }
  }
}
