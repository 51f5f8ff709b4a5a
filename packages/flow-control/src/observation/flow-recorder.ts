import type { Count, Counter, Distribution, Histogram, Metrics } from '@ashlar/core';
import type { RejectionReason } from '../levels/rejection-reason.ts';

/** Records the requests of one schema and level. */
export interface FlowRecorder {
  /** @param seconds that the request has waited */
  dispatched(seconds: number): void;
  /** @param seconds that the request has waited */
  rejected(reason: RejectionReason, seconds: number): void;
  /** @param seconds until the response was made, or until a watch had begun */
  executed(verb: string, seconds: number): void;
}

interface Series {
  readonly dispatched: Count;
  readonly waited: Distribution;
  readonly regular: Distribution;
}

const LABELS = ['flow_schema', 'priority_level'];
const SECONDS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

/** The counters and histograms of flow control (semantics/discovery#metrics). */
export class FlowRecorders {
  readonly #dispatched: Counter;
  readonly #rejected: Counter;
  readonly #waited: Histogram;
  readonly #executed: Histogram;

  constructor(metrics: Metrics) {
    this.#dispatched = metrics.counter({
      name: 'apiserver_flowcontrol_dispatched_requests_total',
      help: 'Number of requests that got their seats.',
      labels: LABELS,
    });
    this.#rejected = metrics.counter({
      name: 'apiserver_flowcontrol_rejected_requests_total',
      help: 'Number of requests that got no seats, by reason.',
      labels: [...LABELS, 'reason'],
    });
    this.#waited = metrics.histogram(
      {
        name: 'apiserver_flowcontrol_request_wait_duration_seconds',
        help: 'How long requests waited for their seats, and whether they got them.',
        labels: ['execute', ...LABELS],
      },
      SECONDS,
    );
    this.#executed = metrics.histogram(
      {
        name: 'apiserver_flowcontrol_request_execution_seconds',
        help: 'How long requests had their seats; watches until they had begun.',
        labels: [...LABELS, 'type'],
      },
      SECONDS,
    );
  }

  /** The recorder of a schema and level, for frequent callers. It has no series before its first request. */
  of(schema: string, level: string): FlowRecorder {
    const labels = [schema, level];
    let series: Series | undefined;
    return {
      dispatched: (seconds) => {
        series ??= this.#seriesOf(labels);
        series.dispatched.add();
        series.waited.observe(seconds);
      },
      rejected: (reason, seconds) => {
        this.#rejected.add([...labels, reason]);
        this.#waited.observe(['false', ...labels], seconds);
      },
      executed: (verb, seconds) => {
        if (verb === 'watch') this.#executed.observe([...labels, 'watch'], seconds);
        else series?.regular.observe(seconds);
      },
    };
  }

  #seriesOf(labels: readonly string[]): Series {
    return {
      dispatched: this.#dispatched.of(labels),
      waited: this.#waited.of(['true', ...labels]),
      regular: this.#executed.of([...labels, 'regular']),
    };
  }
}
