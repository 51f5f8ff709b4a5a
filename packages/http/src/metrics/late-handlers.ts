import type { Counter, Metrics } from '@ashlar/core';

/** Who gives requests up. */
const SOURCE = 'timeout-handler';

/** Counts how the handling of requests ends that were answered before because their deadline had passed. */
export class LateHandlers {
  readonly #total: Counter;

  constructor(metrics: Metrics) {
    this.#total = metrics.counter({
      name: 'apiserver_request_post_timeout_total',
      help: 'Number of requests whose handling went on after their deadline, by how it ended.',
      labels: ['source', 'status'],
    });
  }

  follow(response: Promise<unknown>): void {
    response.then(
      () => this.#total.add([SOURCE, 'ok']),
      () => this.#total.add([SOURCE, 'error']),
    );
  }
}
