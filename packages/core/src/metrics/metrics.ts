import {
  type Count,
  type Distribution,
  type LabelValues,
  labelText,
  type RecordedSeries,
  Series,
  Sum,
  type SummaryQuantiles,
  Tally,
} from './metric-series.ts';

export type { Count, Distribution, LabelValues, SummaryQuantiles } from './metric-series.ts';

/** Name, help text and label names of a metric. */
export interface MetricDescription {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** The release since which it is deprecated: `1.30`. Three minor releases later it is hidden. */
  readonly deprecated?: string;
}

/** How a registry treats deprecated metrics. */
export interface MetricsOptions {
  /** The release of the server, `1.32`; without it no metric is hidden. */
  readonly release?: string;
  /** Whether hidden metrics are registered. */
  readonly showHidden?: boolean;
  /** Told about every deprecated metric that is registered. */
  warn?(text: string): void;
}

/** How many minor releases a deprecated metric remains before it is hidden. */
const RELEASES_BEFORE_HIDING = 3;

/** Whether a metric that is deprecated since a release is hidden in another one. */
function isHiddenIn(release: string, deprecated: string): boolean {
  const [[major = 0, minor = 0], [since = 0, sinceMinor = 0]] = [release, deprecated].map((text) =>
    text.split('.').map(Number),
  ) as [number[], number[]];
  return major > since || (major === since && minor - sinceMinor >= RELEASES_BEFORE_HIDING);
}

/** Counts what happens; never goes back. */
export interface Counter {
  add(values: LabelValues, amount?: number): void;
  /** The counter of these label values, for frequent callers. */
  of(values: LabelValues): Count;
}

/** Counts how large or long things are, by upper bounds. */
export interface Histogram {
  observe(values: LabelValues, amount: number): void;
  /** The distribution of these label values, for frequent callers. */
  of(values: LabelValues): Distribution;
}

/** Sums up amounts, and may know their quantiles. */
export interface Summary {
  /** The sum of these label values, for frequent callers. */
  of(values: LabelValues): Distribution;
}

/** A value of a gauge when it is collected. */
export interface Sample {
  readonly labels?: LabelValues;
  readonly value: number;
}

interface Family {
  readonly description: MetricDescription;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  lines(): string;
  /** Forgets what was recorded by label values. */
  reset(): void;
}

/** Forgets what a metric with labels has recorded. A metric without labels keeps its one series. */
function resetOf(labels: readonly string[], series: ReadonlyMap<string, RecordedSeries>): () => void {
  return () => {
    if (labels.length > 0) for (const each of series.values()) each.reset();
  };
}

/** Prints the series that have recorded something since they were reset. */
function linesOf<T extends RecordedSeries>(
  series: ReadonlyMap<string, T>,
  print: (each: T, key: string) => string,
): string {
  let text = '';
  for (const [key, each] of series) if (!each.isReset) text += print(each, key);
  return text;
}

/**
 * Registry of a server's metrics, printed in the text format of Prometheus (semantics/discovery#metrics).
 * Created once per server and passed to whatever counts something.
 * @example
 * const metrics = new Metrics();
 * const requests = metrics.counter({ name: 'requests_total', help: 'Requests.', labels: ['code'] });
 * requests.add(['200']);
 * metrics.text(); // … requests_total{code="200"} 1
 */
export class Metrics {
  readonly #families: Map<string, Family> = new Map();
  readonly #hidden: Set<string> = new Set();
  readonly #options: MetricsOptions;

  constructor(options: MetricsOptions = {}) {
    this.#options = options;
  }

  /** @throws TypeError if the name is already registered */
  counter(description: MetricDescription): Counter {
    const { name, labels = [] } = description;
    const counts = new Map<string, Tally>();
    this.#add({
      description,
      type: 'counter',
      lines: () => linesOf(counts, ({ amount }, text) => `${name}${text} ${amount}\n`),
      reset: resetOf(labels, counts),
    });
    const of = (values: LabelValues): Tally => {
      const text = labelText(labels, values);
      const found = counts.get(text) ?? new Tally();
      counts.set(text, found);
      return found;
    };
    // the only series of a counter without labels is there before it counts
    if (labels.length === 0) of([]);
    return { of, add: (values, amount) => of(values).add(amount) };
  }

  /**
   * A value that goes up and down, read when the metrics are collected.
   * @param forget called when the metrics are reset, for values that were recorded
   * @throws TypeError if the name is already registered
   */
  gauge(description: MetricDescription, read: () => readonly Sample[], forget: () => void = () => {}): void {
    const { name, labels = [] } = description;
    this.#add({
      description,
      type: 'gauge',
      lines: () =>
        read()
          .map((sample) => `${name}${labelText(labels, sample.labels ?? [])} ${sample.value}\n`)
          .join(''),
      reset: forget,
    });
  }

  /**
   * @param bounds ascending upper bounds of the buckets; an unbounded one is added
   * @throws TypeError if the name is already registered
   */
  histogram(description: MetricDescription, bounds: readonly number[]): Histogram {
    const series = new Map<string, Series>();
    const { name, labels = [] } = description;
    this.#add({
      description,
      type: 'histogram',
      lines: () => linesOf(series, (each) => each.lines(name, labels)),
      reset: resetOf(labels, series),
    });
    const of = (values: LabelValues): Series => {
      const key = values.join('\n');
      const found = series.get(key) ?? new Series([...values], bounds);
      series.set(key, found);
      return found;
    };
    return { of, observe: (values, amount) => of(values).observe(amount) };
  }

  /**
   * Number and sum of amounts.
   * @param quantiles of recent amounts, if there are to be any
   * @throws TypeError if the name is already registered
   */
  summary(description: MetricDescription, quantiles?: SummaryQuantiles): Summary {
    const sums = new Map<string, Sum>();
    const { name, labels = [] } = description;
    this.#add({
      description,
      type: 'summary',
      lines: () => linesOf(sums, (sum) => sum.lines(name, labels)),
      reset: resetOf(labels, sums),
    });
    return {
      of(values) {
        const key = values.join('\n');
        const found = sums.get(key) ?? new Sum([...values], quantiles);
        sums.set(key, found);
        return found;
      },
    };
  }

  /** Everything counted so far, by name. */
  text(): string {
    return [...this.#families.values()]
      .sort((a, b) => (a.description.name < b.description.name ? -1 : 1))
      .map(({ description: { name, help }, type, lines }) => ({
        head: `# HELP ${name} ${escapedHelp(help)}\n# TYPE ${name} ${type}\n`,
        body: lines(),
      }))
      .filter(({ body }) => body !== '')
      .map(({ head, body }) => head + body)
      .join('');
  }

  /** Forgets what was counted by labels: counting starts anew. Counters without labels go on. */
  reset(): void {
    for (const family of this.#families.values()) family.reset();
  }

  /** What a hidden metric counts is not collected. */
  #add(family: Family): void {
    const { name, help, deprecated } = family.description;
    if (this.#families.has(name) || this.#hidden.has(name))
      throw new TypeError(`there is a metric ${name} already`);
    if (deprecated === undefined) {
      this.#families.set(name, family);
      return;
    }
    const { release, showHidden = false, warn } = this.#options;
    if (release !== undefined && !showHidden && isHiddenIn(release, deprecated)) {
      this.#hidden.add(name);
      return;
    }
    warn?.(`metric ${name} has been deprecated since version ${deprecated}`);
    const description = { ...family.description, help: `(Deprecated from ${deprecated}) ${help}` };
    this.#families.set(name, { ...family, description });
  }
}

const escapedHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
