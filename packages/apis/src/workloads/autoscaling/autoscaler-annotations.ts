import type { JsonObject, Vocabulary } from '@ashlar/core';
import { withEntries } from '../../types/sorted-map.ts';
import { annotationReader, requireReadable } from '../annotated-value.ts';
import {
  annotatedConditions,
  annotatedCurrentMetrics,
  annotatedMetrics,
} from '../shapes/autoscaling/annotated-autoscaler.ts';
import { oldBehavior, readBehavior } from './annotated-behavior.ts';
import type { Autoscaler, Metric } from './autoscaler-types.ts';
import { toNewMetric, toOldMetric } from './metric-conversion.ts';

type Annotations = Readonly<Record<string, string>>;

/** The fields for which version v1 has no place but annotations. */
export interface AnnotatedFields {
  /** Without the utilization of CPU, which has a field. */
  readonly metrics: readonly Metric[];
  readonly currentMetrics: readonly Metric[];
  readonly behavior?: NonNullable<Autoscaler['spec']>['behavior'] | undefined;
  readonly conditions: NonNullable<NonNullable<Autoscaler['status']>['conditions']>;
}

const readMetrics = annotationReader<readonly JsonObject[]>(annotatedMetrics);
const readCurrentMetrics = annotationReader<readonly JsonObject[]>(annotatedCurrentMetrics);
const readConditions = annotationReader<AnnotatedFields['conditions']>(annotatedConditions);

/** The annotations in which version v1 keeps fields of v2. */
export class AutoscalerAnnotations {
  readonly #metrics: string;
  readonly #current: string;
  readonly #conditions: string;
  readonly #behavior: string;
  /** What was read from annotations, or printed into them: nothing is read twice, and nothing that was printed. */
  readonly #known: WeakMap<Annotations, AnnotatedFields> = new WeakMap();

  constructor({ labelDomain }: Vocabulary) {
    const name = (suffix: string): string => `autoscaling.alpha.${labelDomain}/${suffix}`;
    this.#metrics = name('metrics');
    this.#current = name('current-metrics');
    this.#conditions = name('conditions');
    this.#behavior = name('behavior');
  }

  get names(): readonly string[] {
    return [this.#metrics, this.#current, this.#conditions, this.#behavior];
  }

  /** Checks annotations of a client. @throws ObjectTooLargeError for texts that are too long to be read */
  requireReadable(annotations: Annotations = {}): void {
    if (this.#known.has(annotations)) return;
    for (const name of this.names) requireReadable(annotations[name] ?? '', name);
  }

  /** Returns the fields of annotations; what is not of its type is ignored. */
  read(annotations: Annotations = {}): AnnotatedFields {
    let fields = this.#known.get(annotations);
    if (!fields) {
      fields = this.#read(annotations);
      this.#known.set(annotations, fields);
    }
    return fields;
  }

  #read(annotations: Annotations): AnnotatedFields {
    const valueIn = <T>(name: string, read: (text: string) => T | undefined): T | undefined => {
      const text = annotations[name];
      return text === undefined ? undefined : read(text);
    };
    const metrics = valueIn(this.#metrics, readMetrics) ?? [];
    const current = valueIn(this.#current, readCurrentMetrics) ?? [];
    return {
      metrics: metrics.map((metric) => toNewMetric(metric, 'target')),
      currentMetrics: current.map((metric) => toNewMetric(metric, 'current')),
      behavior: readBehavior(annotations[this.#behavior]),
      conditions: valueIn(this.#conditions, readConditions) ?? [],
    };
  }

  /** Returns other annotations with those of fields; undefined if there are none. */
  print(others: Annotations | undefined, fields: AnnotatedFields): Annotations | undefined {
    const entries = this.#entries(fields);
    if (entries.length === 0) return others;
    const annotations = withEntries(others ?? {}, entries);
    this.#known.set(annotations, fields);
    return annotations;
  }

  #entries({ metrics, currentMetrics, behavior, conditions }: AnnotatedFields): [string, string][] {
    const entry = (name: string, value: unknown): [string, string][] =>
      value === undefined || (Array.isArray(value) && value.length === 0)
        ? []
        : [[name, JSON.stringify(value)]];
    const old = (list: readonly Metric[], side: 'target' | 'current'): readonly JsonObject[] =>
      list.map((metric) => toOldMetric(metric, side));
    return [
      ...entry(this.#metrics, old(metrics, 'target')),
      ...entry(this.#current, old(currentMetrics, 'current')),
      ...entry(this.#behavior, behavior && oldBehavior(behavior)),
      ...entry(this.#conditions, conditions),
    ];
  }
}
