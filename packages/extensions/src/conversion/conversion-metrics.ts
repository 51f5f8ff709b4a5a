import {
  type ApiObject,
  type Clock,
  type Counter,
  exponentialBounds,
  type Histogram,
  type Metrics,
  parseApiVersion,
} from '@ashlar/core';

/** A step of a conversion by a webhook, by what has failed if it fails. */
export type ConversionStep = 'call' | 'malformed_response' | 'partial_response' | 'invalid_converted_object';

/** Tells that a step begins. */
export type EnterStep = (step: ConversionStep) => void;

/** What is converted. */
export interface MeasuredConversion {
  /** Name of the definition. */
  readonly definition: string;
  readonly objects: readonly ApiObject[];
  readonly apiVersion: string;
}

const CALL_BOUNDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60];
const CONVERSION_BOUNDS = exponentialBounds(0.001, 2, 15);

/** The metrics of conversions by webhooks (semantics/discovery#metrics), in seconds. */
export class ConversionMetrics {
  readonly #clock: Clock;
  readonly #calls: Counter;
  readonly #callTimes: Histogram;
  readonly #conversionTimes: Histogram;

  /** @throws TypeError if these metrics are already registered */
  constructor(metrics: Metrics, clock: Clock) {
    this.#clock = clock;
    const labels = ['result', 'failure_type'];
    this.#calls = metrics.counter({
      ...{ name: 'apiserver_conversion_webhook_request_total', labels },
      help: 'Number of calls of conversion webhooks, by what failed.',
    });
    this.#callTimes = metrics.histogram(
      {
        ...{ name: 'apiserver_conversion_webhook_duration_seconds', labels },
        help: 'Duration of these calls, with the check of what was returned.',
      },
      CALL_BOUNDS,
    );
    this.#conversionTimes = metrics.histogram(
      {
        name: 'apiserver_crd_conversion_webhook_duration_seconds',
        labels: ['crd_name', 'from_version', 'to_version', 'succeeded'],
        help: 'Duration of conversions to another version by the webhook of a definition.',
      },
      CONVERSION_BOUNDS,
    );
  }

  /** Runs a conversion, and counts it. What fails before its first step has called nothing. */
  async measure<T>(conversion: MeasuredConversion, run: (enter: EnterStep) => Promise<T>): Promise<T> {
    const start = this.#clock.monotonic();
    let step: ConversionStep | undefined;
    const end = (succeeded: boolean): void => {
      const seconds = (this.#clock.monotonic() - start) / 1000;
      if (step) this.#called(succeeded ? undefined : step, seconds);
      this.#converted(conversion, succeeded, seconds);
    };
    try {
      const result = await run((next) => {
        step = next;
      });
      end(true);
      return result;
    } catch (error) {
      end(false);
      throw error;
    }
  }

  #called(failed: ConversionStep | undefined, seconds: number): void {
    const labels = failed ? ['failure', `conversion_webhook_${failed}_failure`] : ['success', ''];
    this.#calls.add(labels);
    this.#callTimes.observe(labels, seconds);
  }

  #converted(
    { definition, objects, apiVersion }: MeasuredConversion,
    succeeded: boolean,
    seconds: number,
  ): void {
    const to = versionOf(apiVersion);
    for (const from of new Set(objects.map((object) => versionOf(object.apiVersion))))
      if (from !== to) this.#conversionTimes.observe([definition, from, to, String(succeeded)], seconds);
  }
}

const versionOf = (apiVersion: string): string => parseApiVersion(apiVersion)?.version ?? '';
