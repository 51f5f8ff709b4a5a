import {
  andThen,
  type Clock,
  type MaybePromise,
  type Metrics,
  type Timer,
  type UserInfo,
  type Vocabulary,
} from '@ashlar/core';
import { Classifier } from './classification/classifier.ts';
import type { FlowRequest } from './classification/flow-request.ts';
import { FlowClasses, type LevelClass } from './flow-classes.ts';
import { type FlowConfiguration, withMandatory } from './flow-configuration.ts';
import { FlowLevels } from './flow-levels.ts';
import type { FlowClass, FlowCounts } from './levels/flow-class.ts';
import type { FlowLevel } from './levels/flow-level.ts';
import { FlowTicket } from './levels/flow-ticket.ts';
import type { FlowWork } from './levels/flow-work.ts';
import type { RejectionReason } from './levels/rejection-reason.ts';
import type { Patience } from './levels/waiting-tickets.ts';
import { registerFlowGauges } from './observation/flow-gauges.ts';
import { FlowRecorders } from './observation/flow-recorder.ts';
import type { FlowState } from './observation/flow-state.ts';

const ADJUSTED_MILLISECONDS = 10_000;
const CATCH_ALL = 'catch-all';
const MAXIMUM_SEATS = 10;

/** Options of `FlowControl`. */
export interface FlowControlOptions {
  readonly clock: Clock;
  readonly vocabulary: Vocabulary;
  /** Seats of all levels together: how many requests of one seat are handled at a time. At least 1. */
  readonly seats: number;
  /** Used while objects of their names are missing; must have the schema and the level `catch-all`. */
  readonly mandatory: FlowConfiguration;
  /** Records what requests wait and take. By default nothing is recorded. */
  readonly metrics?: Metrics;
}

/** A request that may not be handled. */
export interface FlowRejection {
  readonly outcome: 'rejected';
  readonly flowClass: FlowClass;
  readonly reason: RejectionReason;
  /** When its caller should come again. */
  readonly retryAfterSeconds: number;
}

/**
 * API priority and fairness: classifies requests by flow schemas, and gives them seats of their priority level, in turns that are fair between
 * flows (semantics/requests#priority-and-fairness).
 * @example
 * const control = new FlowControl({ clock, vocabulary, seats: 600, mandatory });
 * control.configure({ schemas, levels });
 * const admission = await control.begin(user, request, { longestWait: 15_000, signal });
 * if (admission.outcome === 'admitted') admission.release(); // once the response is made
 */
export class FlowControl implements Disposable, FlowState {
  readonly #options: FlowControlOptions;
  readonly #levels: FlowLevels;
  readonly #classes: FlowClasses;
  #classifier: Classifier<LevelClass>;
  #timer: Timer | undefined;
  #isClosed = false;

  /** @throws TypeError if the seats are none or no whole number, or the mandatory objects lack the schema or the level `catch-all` */
  constructor(options: FlowControlOptions) {
    const { clock, vocabulary, seats, metrics, mandatory } = options;
    if (!(Number.isSafeInteger(seats) && seats > 0))
      throw new TypeError(`flow control needs seats, not ${seats}`);
    this.#options = options;
    this.#levels = new FlowLevels(clock, seats);
    this.#classes = new FlowClasses(vocabulary, metrics && new FlowRecorders(metrics));
    if (metrics) registerFlowGauges(metrics, this);
    this.#classifier = this.#configure(mandatory);
    this.#schedule();
  }

  /** The levels, with those that are gone and still have requests. */
  get levels(): readonly FlowLevel[] {
    return this.#levels.all;
  }

  /** What was counted, by schema and level. */
  get counts(): readonly FlowCounts[] {
    return this.#classes.counts;
  }

  /** Replaces the configuration. Requests that wait or are handled keep their class. */
  configure(configuration: FlowConfiguration): void {
    this.#classifier = this.#configure(withMandatory(configuration, this.#options.mandatory));
  }

  /**
   * Waits for the seats of a request.
   * @param estimate what the request occupies; gets the maximum number of its seats. By default one seat
   */
  begin(
    user: UserInfo,
    request: FlowRequest,
    patience: Patience,
    estimate?: (maximumSeats: number) => FlowWork,
  ): MaybePromise<FlowTicket | FlowRejection> {
    const flowClass = this.#classifier.classify(user, request);
    const { level, distinguisher, flows } = flowClass;
    const work = estimate?.(maximumSeatsOf(level)) ?? ONE_SEAT;
    const flow = flows.join(distinguisher ? flowName(distinguisher, user, request) : '');
    const at = this.#options.clock.monotonic();
    const ticket = new FlowTicket({ flowClass, level, flow, user, request, work, at });
    const reason = level.begin(ticket, patience);
    // without a closure: most requests wait for nothing
    if (reason === undefined) return ticket;
    return andThen(reason, (reason) => (reason === undefined ? ticket : rejection(flowClass, reason)));
  }

  /** Rejects what waits; seats are no longer lent. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#timer?.clear();
    this.#levels.close();
  }

  #configure(configuration: FlowConfiguration): Classifier<LevelClass> {
    this.#levels.configure(configuration.levels);
    this.#classes.configure(configuration, this.#levels);
    const otherwise = this.#classes.get(CATCH_ALL);
    if (!otherwise) throw new TypeError(`flow control needs the schema and the level ${CATCH_ALL}`);
    const classOf = ({
      metadata: { name = '' },
    }: FlowConfiguration['schemas'][number]): LevelClass | undefined => this.#classes.get(name);
    return new Classifier(configuration.schemas, classOf, otherwise);
  }

  #schedule(): void {
    if (this.#isClosed) return;
    this.#timer = this.#options.clock.setTimer(ADJUSTED_MILLISECONDS, () => {
      this.#levels.adjust();
      this.#schedule();
    });
  }
}

const rejection = (flowClass: LevelClass, reason: RejectionReason): FlowRejection => ({
  ...{ outcome: 'rejected', flowClass, reason },
  retryAfterSeconds: flowClass.level.retryAfter.seconds,
});

const ONE_SEAT: FlowWork = { seats: 1 };

const flowName = (by: 'ByUser' | 'ByNamespace', user: UserInfo, { namespace }: FlowRequest): string =>
  by === 'ByUser' ? user.name : namespace;

/** Seats of one request: a small part of its level, so that many flows fit in. */
function maximumSeatsOf({ limits: { nominal }, waiting }: FlowLevel): number {
  if (!waiting) return MAXIMUM_SEATS;
  const part = Math.min(Math.ceil(nominal * 0.15), Math.floor(nominal / waiting.handSize), MAXIMUM_SEATS);
  return Math.max(1, part);
}
