import type { LabelValues, Metrics } from '@ashlar/core';
import { REQUEST_LABELS } from './request-labels.ts';

/** Counts the watches and connections that are open. */
export class LongRunningRequests {
  /** By their labels. */
  readonly #open: Map<string, OpenRequests> = new Map();

  constructor(metrics: Metrics) {
    metrics.gauge(
      {
        name: 'apiserver_longrunning_requests',
        help: 'Number of watches and connections that are open.',
        labels: REQUEST_LABELS,
      },
      () => [...this.#open.values()].map(({ labels, count }) => ({ labels, value: count })),
    );
  }

  /** @returns a function to call once when the request has ended */
  begin(labels: LabelValues): () => void {
    const key = labels.join('\n');
    const open = this.#open.get(key) ?? { labels, count: 0 };
    this.#open.set(key, open);
    open.count++;
    return () => {
      open.count--;
    };
  }
}

interface OpenRequests {
  readonly labels: LabelValues;
  count: number;
}
