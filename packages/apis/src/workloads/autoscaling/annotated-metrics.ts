import { type JsonObject, MAXIMUM_OBJECT_BYTES, runAtOnce, type Schema, type Steps } from '@ashlar/core';
import { LRUCache } from 'lru-cache';
import { annotationReader } from '../annotated-value.ts';
import type { Metric } from './autoscaler-types.ts';
import { type MetricSide, toNewMetric, toOldMetric } from './metric-conversion.ts';

/** Metrics between two pauses, as a mask. */
const STRIDE = 255;

/** Texts whose metrics are kept, and their characters: a large one is read several times within a request. */
const KEPT = { max: 64, maxSize: MAXIMUM_OBJECT_BYTES };

/** The annotation in which version v1 keeps metrics. Lists and texts that were converted once, with pauses, are not converted again. */
export class AnnotatedMetrics {
  readonly #side: MetricSide;
  readonly #readOld: (text: string) => Steps<readonly JsonObject[] | undefined>;
  readonly #metrics: LRUCache<string, readonly Metric[]> = new LRUCache({
    ...KEPT,
    sizeCalculation: (_, text) => text.length + 1,
  });
  readonly #texts: WeakMap<object, string> = new WeakMap();

  constructor(side: MetricSide, schema: Schema) {
    this.#side = side;
    this.#readOld = annotationReader(schema);
  }

  /** Returns the metrics of a text; none if there is no text, or if it is not one of metrics. */
  read(text: string | undefined): readonly Metric[] {
    return runAtOnce(this.readSteps(text));
  }

  /** The same with pauses, after which `read` returns the same list at once. */
  *readSteps(text: string | undefined): Steps<readonly Metric[]> {
    if (text === undefined) return [];
    let metrics = this.#metrics.get(text);
    if (!metrics) {
      const old = (yield* this.#readOld(text)) ?? [];
      metrics = yield* convertedSteps(old, (metric) => toNewMetric(metric, this.#side));
      this.#metrics.set(text, metrics);
    }
    return metrics;
  }

  /** Returns the text of the metrics that a predicate selects; undefined if there are none. @param select the same at each call */
  print(metrics: readonly Metric[], select?: (metric: Metric) => boolean): string | undefined {
    return runAtOnce(this.printSteps(metrics, select));
  }

  /** The same with pauses, after which `print` returns the same text at once. */
  *printSteps(
    metrics: readonly Metric[],
    select: (metric: Metric) => boolean = () => true,
  ): Steps<string | undefined> {
    let text = this.#texts.get(metrics);
    if (text !== undefined) return text === NONE ? undefined : text;
    const old = yield* convertedSteps(metrics.filter(select), (metric) => toOldMetric(metric, this.#side));
    text = JSON.stringify(old);
    this.#texts.set(metrics, text);
    return old.length > 0 ? text : undefined;
  }
}

const NONE = '[]';

function* convertedSteps<From, To>(list: readonly From[], convert: (item: From) => To): Steps<readonly To[]> {
  const converted: To[] = [];
  for (const item of list) {
    converted.push(convert(item));
    if ((converted.length & STRIDE) === STRIDE) yield;
  }
  return converted;
}
