import { Metrics, type Vocabulary } from '@ashlar/core';

/** Counts what checks of health found, for `/metrics/slis` (semantics/discovery#metrics). */
export class HealthIndicators {
  readonly #metrics = new Metrics();
  readonly #last = new Map<string, { readonly labels: readonly string[]; readonly value: number }>();
  readonly #record: (labels: readonly string[], status: string) => void;

  constructor({ name }: Vocabulary) {
    const labels = ['name', 'type'];
    this.#metrics.gauge(
      {
        name: `${name}_healthcheck`,
        help: 'What a check of health found last: 1 where it was well.',
        labels,
      },
      () => [...this.#last.values()],
    );
    const total = this.#metrics.counter({
      ...{ name: `${name}_healthchecks_total`, labels: [...labels, 'status'] },
      help: 'What checks of health found.',
    });
    this.#record = (which, status) => total.add([...which, status]);
  }

  /** @param endpoint where the check was asked */
  record(check: string, endpoint: string, isWell: boolean): void {
    const labels = [check, endpoint];
    this.#last.set(labels.join('\n'), { labels, value: isWell ? 1 : 0 });
    this.#record(labels, isWell ? 'success' : 'error');
  }

  /** In the form that Prometheus reads. */
  text(): string {
    return this.#metrics.text();
  }
}
