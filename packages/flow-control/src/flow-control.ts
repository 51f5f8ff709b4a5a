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
import { type FlowConfiguration, withMandatory } from './flow-configuration.ts';
import type { ConfiguredLevel, ConfiguredSchema } from './flow-objects.ts';
import {
  distinguisherOf,
  type Flow,
  type FlowClass,
  type FlowCounts,
  joinFlow,
  type RejectionReason,
} from './levels/flow-class.ts';
import { FlowLevel, type Patience } from './levels/flow-level.ts';
import { FlowTicket } from './levels/flow-ticket.ts';
import type { FlowWork } from './levels/flow-work.ts';
import { registerFlowGauges } from './observation/flow-gauges.ts';
import { FlowRecorders } from './observation/flow-recorder.ts';
import { handOfQueues } from './queues/hand-of-queues.ts';
import { adjustSeats } from './seats/adjust-seats.ts';
import { seatLimits, sharesOf } from './seats/seat-limits.ts';

const ADJUSTED_MILLISECONDS = 10_000;
const CATCH_ALL = 'catch-all';
const MAXIMUM_SEATS = 10;

/** Options of `FlowControl`. */
export interface FlowControlOptions {
  readonly clock: Clock;
  readonly vocabulary: Vocabulary;
  /** Seats of all levels together: how many requests of one seat are handled at a time. */
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
export class FlowControl implements Disposable {
  readonly #options: FlowControlOptions;
  readonly #levels = new Map<string, FlowLevel>();
  readonly #counts = new Map<string, FlowCounts>();
  readonly #recorders: FlowRecorders | undefined;
  #classifier: Classifier<FlowClass>;
  #timer: Timer | undefined;
  #isClosed = false;

  /** @throws TypeError if the mandatory objects lack the schema or the level `catch-all` */
  constructor(options: FlowControlOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#recorders = metrics && new FlowRecorders(metrics);
    if (metrics) registerFlowGauges(metrics, this);
    this.#classifier = this.#configure(options.mandatory);
    this.#schedule();
  }

  /** The levels, with those that are gone and still have requests. */
  get levels(): readonly FlowLevel[] {
    return [...this.#levels.values()];
  }

  /** What was counted, by schema and level. */
  get counts(): readonly FlowCounts[] {
    return [...this.#counts.values()];
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
    const { level } = flowClass;
    const flow = this.#flowOf(flowClass, user, request);
    const work = estimate?.(maximumSeatsOf(level)) ?? ONE_SEAT;
    const at = this.#options.clock.monotonic();
    const ticket = new FlowTicket({ flowClass, flow, user, request, work, at });
    return andThen(level.begin(ticket, patience), (reason) => {
      if (reason === undefined) return ticket;
      return { outcome: 'rejected', flowClass, reason, retryAfterSeconds: level.retryAfter.seconds };
    });
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#timer?.clear();
  }

  #flowOf(flowClass: FlowClass, user: UserInfo, { namespace }: FlowRequest): Flow {
    const { distinguisher, flows, level, schema } = flowClass;
    const name = distinguisher === 'ByUser' ? user.name : distinguisher === 'ByNamespace' ? namespace : '';
    return joinFlow(flows, name, () => {
      const { queues, handSize } = level.waiting ?? { queues: 1, handSize: 1 };
      return handOfQueues(`${schema}\n${name}`, queues, handSize);
    });
  }

  #configure({ schemas, levels }: FlowConfiguration): Classifier<FlowClass> {
    this.#configureLevels(levels);
    const classes = new Map<ConfiguredSchema, FlowClass>();
    for (const schema of schemas) {
      const flowClass = this.#classOf(schema, levels);
      if (flowClass) classes.set(schema, flowClass);
    }
    const catchAll = schemas.find(({ metadata }) => metadata.name === CATCH_ALL);
    const otherwise = catchAll && classes.get(catchAll);
    if (!otherwise) throw new TypeError(`flow control needs the schema and the level ${CATCH_ALL}`);
    return new Classifier(schemas, (schema) => classes.get(schema), otherwise);
  }

  #configureLevels(levels: readonly ConfiguredLevel[]): void {
    const names = new Set(levels.map(({ metadata }) => metadata.name));
    for (const [name, level] of this.#levels) {
      level.isQuiescing = !names.has(name);
      if (level.isQuiescing && level.isIdle) this.#forget(name);
    }
    const allShares = levels.reduce((sum, level) => sum + sharesOf(level), 0);
    for (const object of levels) this.#configureLevel(object, allShares);
  }

  #configureLevel(object: ConfiguredLevel, allShares: number): void {
    const { name = '' } = object.metadata;
    const { clock, seats } = this.#options;
    const known = this.#levels.get(name);
    const level = known ?? new FlowLevel(name, clock);
    const limits = seatLimits(object, seats, allShares);
    const { nominal, lower } = limits;
    const isChanged = level.limits.nominal !== nominal || level.limits.lower !== lower;
    level.configure(object, limits);
    this.#levels.set(name, level);
    // half of what it may lend is lent until it is known who needs it
    if (!known || isChanged) level.setCurrent(nominal - Math.floor((nominal - lower) / 2));
  }

  #forget(name: string): void {
    this.#levels.delete(name);
    for (const [key, { level }] of this.#counts) if (level === name) this.#counts.delete(key);
  }

  #classOf(schema: ConfiguredSchema, levels: readonly ConfiguredLevel[]): FlowClass | undefined {
    const { name = '', uid } = schema.metadata;
    const levelName = schema.spec?.priorityLevelConfiguration?.name ?? '';
    const object = levels.find(({ metadata }) => metadata.name === levelName);
    const level = this.#levels.get(levelName);
    if (!object || !level) return undefined;
    return {
      ...{ schema: name, level, distinguisher: distinguisherOf(schema), flows: new Map() },
      headers: this.#headers(uid, object.metadata.uid),
      counts: this.#countsOf(name, levelName),
    };
  }

  #countsOf(schema: string, level: string): FlowCounts {
    const key = JSON.stringify([schema, level]);
    const known = this.#counts.get(key);
    if (known) return known;
    const none = { executing: 0, executingSeats: 0, waiting: 0, waitingSeats: 0, isUsed: false };
    const counts: FlowCounts = { schema, level, ...none, recorder: this.#recorders?.of(schema, level) };
    this.#counts.set(key, counts);
    return counts;
  }

  #headers(schema: string | undefined, level: string | undefined): Readonly<Record<string, string>> {
    if (schema === undefined || level === undefined) return {};
    const prefix = this.#options.vocabulary.flowControlHeaderPrefix.toLowerCase();
    return { [`${prefix}flowschema-uid`]: schema, [`${prefix}prioritylevel-uid`]: level };
  }

  #schedule(): void {
    if (this.#isClosed) return;
    this.#timer = this.#options.clock.setTimer(ADJUSTED_MILLISECONDS, () => {
      adjustSeats(this.levels, this.#options.clock.monotonic());
      this.#schedule();
    });
  }
}

const ONE_SEAT: FlowWork = { seats: 1 };

/** Seats of one request: a small part of its level, so that many flows fit in. */
function maximumSeatsOf({ limits: { nominal }, waiting }: FlowLevel): number {
  if (!waiting) return MAXIMUM_SEATS;
  const part = Math.min(Math.ceil(nominal * 0.15), Math.floor(nominal / waiting.handSize), MAXIMUM_SEATS);
  return Math.max(1, part);
}
