import { type Clock, errorMessage } from '@ashlar/core';
import type { AuditMetrics } from './audit-metrics.ts';

/** How long nothing is said of further losses: each request may lose an event. */
const QUIET_MILLISECONDS = 10_000;

interface Unsaid {
  events: number;
  saidAt: number;
  cause: unknown;
}

/** Counts events that are lost, and says so: at once, and then at most every ten seconds for each plugin. */
export class LostEvents {
  readonly #clock: Clock;
  readonly #metrics: AuditMetrics;
  readonly #onError: (error: Error) => void;
  readonly #unsaid: Map<string, Unsaid> = new Map();

  constructor(clock: Clock, metrics: AuditMetrics, onError: (error: Error) => void) {
    this.#clock = clock;
    this.#metrics = metrics;
    this.#onError = onError;
  }

  /** @param plugin what lost them: `log`, `webhook`, `buffered`, `truncate` */
  report(plugin: string, events: number, cause: unknown): void {
    this.#metrics.failed(plugin, events);
    const now = this.#clock.monotonic();
    const known = this.#unsaid.get(plugin) ?? { events: 0, saidAt: Number.NEGATIVE_INFINITY, cause };
    this.#unsaid.set(plugin, known);
    known.events += events;
    known.cause = cause;
    if (now - known.saidAt >= QUIET_MILLISECONDS) this.#say(plugin, known);
  }

  /** Says at once what has not been said yet. */
  sayRest(): void {
    for (const [plugin, known] of this.#unsaid) if (known.events > 0) this.#say(plugin, known);
  }

  #say(plugin: string, known: Unsaid): void {
    const lost = known.events === 1 ? 'an audit event is' : `${known.events} audit events are`;
    this.#onError(new Error(`${lost} lost (${plugin}): ${errorMessage(known.cause)}`));
    known.events = 0;
    known.saidAt = this.#clock.monotonic();
  }
}
