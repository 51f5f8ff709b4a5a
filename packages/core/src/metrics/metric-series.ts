import type { Clock } from '../contracts/ambient.ts';
import { RecentAmounts } from './recent-amounts.ts';

/** Values of a metric's labels, in order. */
export type LabelValues = readonly string[];

/** One count of a counter. */
export interface Count {
  add(amount?: number): void;
}

/** One distribution of a histogram. */
export interface Distribution {
  observe(amount: number): void;
}

/** Which quantiles of recent amounts a summary has. */
export interface SummaryQuantiles {
  /** Shares between 0 and 1, ascending. */
  readonly shares: readonly number[];
  /** How long an amount counts. */
  readonly windowMilliseconds: number;
  readonly clock: Clock;
}

/** What a metric recorded for one set of label values. Callers keep it: what is reset is hidden until something is recorded again. */
export interface RecordedSeries {
  readonly isReset: boolean;
  reset(): void;
}

/** One count. */
export class Tally implements Count, RecordedSeries {
  amount = 0;
  isReset = false;

  add(amount = 1): void {
    this.amount += amount;
    this.isReset = false;
  }

  reset(): void {
    this.amount = 0;
    this.isReset = true;
  }
}

/** One summary of one set of label values. */
export class Sum implements Distribution, RecordedSeries {
  readonly #values: LabelValues;
  readonly #shares: readonly number[];
  readonly #quantiles: SummaryQuantiles | undefined;
  #recent: RecentAmounts | undefined;
  #sum = 0;
  #count = 0;
  isReset = false;

  constructor(values: LabelValues, quantiles: SummaryQuantiles | undefined) {
    this.#values = values;
    this.#shares = quantiles?.shares ?? [];
    this.#quantiles = quantiles;
    this.#recent = recentAmounts(quantiles);
  }

  observe(amount: number): void {
    this.#sum += amount;
    this.#count++;
    this.#recent?.observe(amount);
    this.isReset = false;
  }

  reset(): void {
    this.#sum = 0;
    this.#count = 0;
    this.#recent = recentAmounts(this.#quantiles);
    this.isReset = true;
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

const recentAmounts = (quantiles: SummaryQuantiles | undefined): RecentAmounts | undefined =>
  quantiles && new RecentAmounts(quantiles.clock, quantiles.windowMilliseconds);

/** One histogram of one set of label values. */
export class Series implements Distribution, RecordedSeries {
  readonly #values: LabelValues;
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  isReset = false;

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
    this.isReset = false;
  }

  reset(): void {
    this.#counts.fill(0);
    this.#sum = 0;
    this.isReset = true;
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

/** Prints the labels of a series. */
export function labelText(names: readonly string[], values: LabelValues): string {
  if (names.length === 0) return '';
  return `{${names.map((name, place) => `${name}="${escaped(values[place] ?? '')}"`).join(',')}}`;
}

const escaped = (text: string): string =>
  /["\\\n]/.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : text;
