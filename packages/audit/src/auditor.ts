import { type Ambient, type MaybePromise, type Metrics, type Steps, sleepInRequest } from '@ashlar/core';
import { AuditBackend, type AuditBackendOptions } from './backends/audit-backend.ts';
import { type AuditMetrics, createAuditMetrics, noAuditMetrics } from './backends/audit-metrics.ts';
import { LostEvents } from './backends/lost-events.ts';
import { type EncodedEvent, encodeEvent, encodeEventSteps } from './events/encoded-event.ts';
import type { LoggedEvent } from './events/logged-event.ts';
import { DEFAULT_MAXIMUM_EVENT_BYTES } from './events/truncate-event.ts';
import type { AuditAttributes, AuditDecision } from './policy/audit-decision.ts';
import type { AuditPolicy } from './policy/audit-policy.ts';
import { CompiledPolicy } from './policy/compiled-policy.ts';

/** What is recorded, and where it is stored. */
export interface AuditOptions {
  readonly policy: AuditPolicy;
  readonly backends: readonly AuditBackendOptions[];
}

/** Options of `Auditor`. */
export interface AuditorOptions extends AuditOptions {
  readonly ambient: Pick<Ambient, 'clock' | 'vocabulary'>;
  /** By default nothing is counted. */
  readonly metrics?: Metrics;
  /** Told about events that are lost, not about each. */
  readonly onError: (error: Error) => void;
}

/** How long a flush waits for events that are still to be stored. */
const CLOSING_MILLISECONDS = 10_000;

/**
 * Decides what is recorded of requests, and stores it (semantics/requests#audit).
 * @example
 * const auditor = new Auditor({ policy, backends: [{ sink, mode: 'blocking' }], ambient, onError });
 */
export class Auditor {
  readonly #policy: CompiledPolicy;
  readonly #backends: readonly AuditBackend[];
  readonly #metrics: AuditMetrics;
  readonly #lost: LostEvents;
  readonly #options: AuditorOptions;

  constructor(options: AuditorOptions) {
    const { ambient, metrics, onError } = options;
    const { clock, vocabulary } = ambient;
    this.#options = options;
    this.#policy = new CompiledPolicy(options.policy);
    this.#metrics = metrics ? createAuditMetrics(metrics) : noAuditMetrics;
    const lost = new LostEvents(clock, this.#metrics, onError);
    this.#lost = lost;
    this.#backends = options.backends.map((each) => new AuditBackend(each, { clock, vocabulary, lost }));
  }

  /** Returns what is recorded of a request; asked once for each. */
  decide(attributes: AuditAttributes): AuditDecision {
    const decision = this.#policy.decide(attributes);
    this.#metrics.decided(decision.level);
    return decision;
  }

  /**
   * Stores an event. Without a promise if nobody has to wait for that.
   * @returns false if a strict backend could not store it, for which a request that is not begun must be refused
   */
  record(event: LoggedEvent): MaybePromise<boolean> {
    this.#metrics.recorded();
    return this.#store(encodeEvent(event));
  }

  /** As {@link record}, encoding it with pauses. */
  *recordSteps(event: LoggedEvent): Steps<MaybePromise<boolean>> {
    this.#metrics.recorded();
    return this.#store(yield* encodeEventSteps(event));
  }

  #store(encoded: EncodedEvent): MaybePromise<boolean> {
    const stored = this.#backends.map((backend) => backend.process(encoded));
    if (stored.every((each) => typeof each === 'boolean')) return stored.every(Boolean);
    return Promise.all(stored).then((all) => all.every(Boolean));
  }

  /**
   * Counts an event that could not be made, so that it is lost.
   * @returns what `record` returns of events that cannot be stored
   */
  failed(): boolean {
    this.#metrics.failed('event', 1);
    return this.#options.backends.every(({ mode }) => mode !== 'blocking-strict');
  }

  /** Counts an event whose objects could not be made: it is recorded without them. */
  incomplete(): void {
    this.#metrics.failed('objects', 1);
  }

  /** How many bytes of objects some backend stores: an event that has more loses its objects in all of them. */
  get maximumObjectBytes(): number {
    return Math.max(
      ...this.#options.backends.map(({ truncate }) =>
        truncate ? (truncate.maximumEventBytes ?? DEFAULT_MAXIMUM_EVENT_BYTES) : Number.POSITIVE_INFINITY,
      ),
    );
  }

  /** Counts a request that was refused because `record` returned false. */
  rejected(): void {
    this.#metrics.rejected();
  }

  /**
   * Stores what waits, and waits for what is under way; what is not stored in time is lost.
   * @param milliseconds default 10,000
   */
  async flush(milliseconds: number = CLOSING_MILLISECONDS): Promise<void> {
    const end = new AbortController();
    // sinks may wait for nothing but a timer of theirs, which does not keep the process alive
    const late = sleepInRequest(this.#options.ambient.clock, milliseconds, end.signal).then(
      () => this.#giveUp(),
      () => {},
    );
    await Promise.all(this.#backends.map((backend) => backend.flush()));
    end.abort();
    await late;
    this.#lost.sayRest();
  }

  #giveUp(): void {
    const reason = new Error('it was not stored before the end');
    for (const backend of this.#backends) backend.giveUp(reason);
  }
}
