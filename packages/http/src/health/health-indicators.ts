import { Metrics, type Vocabulary } from '@ashlar/core';

/** Records results of health checks for `/metrics/slis` (semantics/discovery#metrics). */
export class HealthIndicators {
  readonly #metrics = new Metrics();
  readonly #last = new Map<string, { readonly labels: readonly string[]; readonly value: number }>();
  readonly #record: (labels: readonly string[], status: string) => void;

  constructor({ name }: Vocabulary) {
    const labels = ['name', 'type'];
    this.#metrics.gauge(
      {
        name: `${name}_healthcheck`,
        help: 'Last result of a health check: 1 if it was healthy.',
        labels,
      },
      () => [...this.#last.values()],
      () => this.#last.clear(),
    );
    const total = this.#metrics.counter({
      ...{ name: `${name}_healthchecks_total`, labels: [...labels, 'status'] },
      help: 'Number of health check results by status.',
    });
    this.#record = (which, status) => total.add([...which, status]);
  }

  /** Records a result. @param endpoint the endpoint that ran the check */
  record(check: string, endpoint: string, isHealthy: boolean): void {
    const labels = [check, endpoint];
    this.#last.set(labels.join('\n'), { labels, value: isHealthy ? 1 : 0 });
    this.#record(labels, isHealthy ? 'success' : 'error');
  }

  /** Forgets all results. */
  reset(): void {
    this.#metrics.reset();
  }

  /** Returns the metrics in the Prometheus text format. */
  text(): string {
    return this.#metrics.text();
  }
}
