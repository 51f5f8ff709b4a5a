import type { Clock } from '../contracts/ambient.ts';
import { RecentAmounts } from './recent-amounts.ts';

/** Values of a metric's labels, in order. */
export type LabelValues = readonly string[];

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

/** One count of a counter. */
export interface Count {
  add(amount?: number): void;
}

/** Counts what happens; never goes back. */
export interface Counter {
  add(values: LabelValues, amount?: number): void;
  /** The counter of these label values, for frequent callers. */
  of(values: LabelValues): Count;
}

/** One distribution of a histogram. */
export interface Distribution {
  observe(amount: number): void;
}

/** Counts how large or long things are, by upper bounds. */
export interface Histogram {
  observe(values: LabelValues, amount: number): void;
  /** The distribution of these label values, for frequent callers. */
  of(values: LabelValues): Distribution;
}

/** Which quantiles of recent amounts a summary has. */
export interface SummaryQuantiles {
  /** Shares between 0 and 1, ascending. */
  readonly shares: readonly number[];
  /** How long an amount counts. */
  readonly windowMilliseconds: number;
  readonly clock: Clock;
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
      lines: () => [...counts].map(([text, { amount }]) => `${name}${text} ${amount}\n`).join(''),
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
   * @throws TypeError if the name is already registered
   */
  gauge(description: MetricDescription, read: () => readonly Sample[]): void {
    const { name, labels = [] } = description;
    this.#add({
      description,
      type: 'gauge',
      lines: () =>
        read()
          .map((sample) => `${name}${labelText(labels, sample.labels ?? [])} ${sample.value}\n`)
          .join(''),
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
      lines: () => [...series.values()].map((each) => each.lines(name, labels)).join(''),
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
      lines: () => [...sums.values()].map((sum) => sum.lines(name, labels)).join(''),
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

/** One count. */
class Tally implements Count {
  amount = 0;

  add(amount = 1): void {
    this.amount += amount;
  }
}

/** One summary of one set of label values. */
class Sum implements Distribution {
  readonly #values: LabelValues;
  readonly #shares: readonly number[];
  readonly #recent: RecentAmounts | undefined;
  #sum = 0;
  #count = 0;

  constructor(values: LabelValues, quantiles: SummaryQuantiles | undefined) {
    this.#values = values;
    this.#shares = quantiles?.shares ?? [];
    this.#recent = quantiles && new RecentAmounts(quantiles.clock, quantiles.windowMilliseconds);
  }

  observe(amount: number): void {
    this.#sum += amount;
    this.#count++;
    this.#recent?.observe(amount);
  }

  lines(name: string, labels: readonly string[]): string {
    const quantiles = this.#recent?.quantiles(this.#shares) ?? [];
    const own = labelText(labels, this.#values);
    const ofShares = quantiles.map(
      (amount, i) =>
        `${name}${labelText([...labels, 'quantile'], [...this.#values, String(this.#shares[i])])} ${amount}\n`,
    );
    return `${ofShares.join('')}${name}_sum${own} ${this.#sum}\n${name}_count${own} ${this.#count}\n`;
  }
}

/** One histogram of one set of label values. */
class Series implements Distribution {
  readonly #values: LabelValues;
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  constructor(values: LabelValues, bounds: readonly number[]) {
    this.#values = values;
    this.#bounds = bounds;
    this.#counts = new Array(bounds.length + 1).fill(0);
  }

  observe(amount: number): void {
    // most amounts are within the first bounds
    let place = 0;
    while (place < this.#bounds.length && amount > (this.#bounds[place] as number)) place++;
    this.#counts[place] = (this.#counts[place] as number) + 1;
    this.#sum += amount;
  }

  lines(name: string, labels: readonly string[]): string {
    let below = 0;
    const buckets = this.#counts.map((count, place) => {
      below += count;
      const bound = this.#bounds[place];
      const values = [...this.#values, bound === undefined ? '+Inf' : String(bound)];
      return `${name}_bucket${labelText([...labels, 'le'], values)} ${below}\n`;
    });
    const own = labelText(labels, this.#values);
    return `${buckets.join('')}${name}_sum${own} ${this.#sum}\n${name}_count${own} ${below}\n`;
  }
}

function labelText(names: readonly string[], values: LabelValues): string {
  if (names.length === 0) return '';
  return `{${names.map((name, place) => `${name}="${escaped(values[place] ?? '')}"`).join(',')}}`;
}

const escaped = (text: string): string =>
  /["\\\n]/.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : text;

const escapedHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
