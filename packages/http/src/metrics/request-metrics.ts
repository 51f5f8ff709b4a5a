import {
  type Clock,
  type Count,
  type Distribution,
  type Metrics,
  type ResponseBody,
  type ServerResponse,
  sizeOfPieces,
} from '@ashlar/core';
import { goesOn, whenEnded } from '../auditing/when-ended.ts';
import type { ConcurrencyLimiter } from '../pipeline/concurrency-limiter.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import { isLongRunning } from '../request/request-info.ts';
import { LongRunningRequests } from './long-running-requests.ts';
import { registerRequestGauges } from './request-gauges.ts';
import { labelsKey, REQUEST_LABELS, type RequestLabels, requestLabels } from './request-labels.ts';

const [VERB = '', ...OTHER_LABELS] = REQUEST_LABELS;
const LABELS_WITH_DRY_RUN = [VERB, 'dry_run', ...OTHER_LABELS];

const SECONDS_WITHOUT_WAITS = [
  0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
const SECONDS = [0.005, 0.025, ...SECONDS_WITHOUT_WAITS];
const BYTES = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/** Records the metrics of requests (semantics/discovery#metrics). */
export interface RequestMetrics {
  /**
   * Records how a request is answered; one that goes on is recorded when it ends.
   * @returns the response to send
   */
  record(scope: RequestScope, response: ServerResponse): ServerResponse;
}

/** Registers the metrics of requests. */
export function createRequestMetrics(
  metrics: Metrics,
  limiter: ConcurrencyLimiter,
  clock: Pick<Clock, 'monotonic'>,
): RequestMetrics {
  const families = registerFamilies(metrics);
  const deprecated = registerRequestGauges(metrics, limiter);
  const longRunning = new LongRunningRequests(metrics);
  // requests with equal labels share their counters, which are looked up once
  const served = new WeakMap<object, Map<string, RequestSeries>>();
  const others = new Map<string, RequestSeries>();
  return {
    record(scope, response) {
      const series = seriesFor(scope);
      if (scope.removedRelease !== undefined) deprecated.note(scope.info, scope.removedRelease);
      if (goesOn(response, scope.request.method) && isLongRunning(scope.info))
        return followed(scope, response, series);
      series.observe(scope, response, clock.monotonic() - scope.started);
      return response;
    },
  };

  function followed(scope: RequestScope, response: ServerResponse, series: RequestSeries): ServerResponse {
    const end = longRunning.begin(series.labels);
    return whenEnded(response, scope.request.signal, () => {
      end();
      series.observe(scope, response, clock.monotonic() - scope.started);
    });
  }

  function seriesFor(scope: RequestScope): RequestSeries {
    const ofResource = seriesOf(scope);
    const key = labelsKey(scope);
    let series = ofResource.get(key);
    if (!series) {
      series = new RequestSeries(families, requestLabels(scope));
      ofResource.set(key, series);
    }
    return series;
  }

  /** Each resource has media types of its own: its series are found by them. */
  function seriesOf({ info, types }: RequestScope): Map<string, RequestSeries> {
    if (!info.isResourceRequest || !types) return others;
    let series = served.get(types);
    if (!series) {
      series = new Map();
      served.set(types, series);
    }
    return series;
  }
}

type Families = ReturnType<typeof registerFamilies>;

function registerFamilies(metrics: Metrics) {
  return {
    total: metrics.counter({
      name: 'apiserver_request_total',
      help: 'Number of requests by verb, resource and response code.',
      labels: [...LABELS_WITH_DRY_RUN, 'code'],
    }),
    duration: metrics.histogram(
      {
        name: 'apiserver_request_duration_seconds',
        help: 'Duration of requests.',
        labels: LABELS_WITH_DRY_RUN,
      },
      SECONDS,
    ),
    withoutWaits: metrics.histogram(
      {
        name: 'apiserver_request_sli_duration_seconds',
        help: 'Duration of requests without the time that they waited for webhooks and in queues.',
        labels: REQUEST_LABELS,
      },
      SECONDS_WITHOUT_WAITS,
    ),
    sizes: metrics.histogram(
      {
        name: 'apiserver_response_sizes',
        help: 'Size of responses to reads in bytes.',
        labels: REQUEST_LABELS,
      },
      BYTES,
    ),
    terminations: metrics.counter({
      name: 'apiserver_request_terminations_total',
      help: 'Number of requests that the server refused or gave up to protect itself.',
      labels: [...REQUEST_LABELS, 'code'],
    }),
  };
}

/** The metrics of requests with equal labels. */
class RequestSeries {
  readonly labels: readonly string[];
  readonly #families: Families;
  readonly #labelsWithDryRun: readonly string[];
  readonly #duration: Distribution;
  readonly #withoutWaits: Distribution;
  readonly #sizes: Distribution | undefined;
  readonly #codes: Map<number, Count> = new Map();

  constructor(families: Families, { values, dryRun }: RequestLabels) {
    const [verb = '', ...others] = values;
    this.labels = values;
    this.#families = families;
    this.#labelsWithDryRun = [verb, dryRun, ...others];
    this.#duration = families.duration.of(this.#labelsWithDryRun);
    this.#withoutWaits = families.withoutWaits.of(values);
    this.#sizes = verb === 'GET' || verb === 'LIST' ? families.sizes.of(values) : undefined;
  }

  observe(scope: RequestScope, { status, body }: ServerResponse, milliseconds: number): void {
    this.#countOf(status).add();
    this.#duration.observe(milliseconds / 1000);
    this.#withoutWaits.observe((milliseconds - waitedMilliseconds(scope)) / 1000);
    const size = this.#sizes && sizeOf(body);
    if (size !== undefined) this.#sizes?.observe(size);
    if (scope.isTerminated) this.#families.terminations.add([...this.labels, String(status)]);
  }

  #countOf(status: number): Count {
    let count = this.#codes.get(status);
    if (!count) {
      count = this.#families.total.of([...this.#labelsWithDryRun, String(status)]);
      this.#codes.set(status, count);
    }
    return count;
  }
}

function waitedMilliseconds({ waits }: RequestScope): number {
  let sum = 0;
  for (const milliseconds of waits.values()) sum += milliseconds;
  return sum;
}

/** The size of a body in bytes; undefined for one that is written as it goes. */
function sizeOf(body: ResponseBody | undefined): number | undefined {
  if (body === undefined) return 0;
  if (typeof body === 'function') return undefined;
  return body instanceof Uint8Array ? body.length : sizeOfPieces(body);
}
