import { Coverage } from './coverage.ts';
import { mutated, repeated } from './mutation.ts';
import { SeededNumbers } from './random.ts';
import type { Target } from './target.ts';

/**
 * Inputs between two coverage reads, which cost as much as thousands of inputs, so there are fewer while
 * nothing new is found.
 */
const SMALLEST_BATCH = 50;
const LARGEST_BATCH = 2_000;
/** Shorter runs only use inputs of earlier ones. */
const GUIDED_INPUTS = 50_000;
/** Maximum number of retained inputs per batch; the rest is found again. */
const KEPT_OF_BATCH = 2;
/** One of this many inputs is inflated, to measure how its cost grows. */
const PUMPED_EVERY = 400;
const PUMPED_BYTES = [8_192, 32_768] as const;
/** Four times the input may take this many times as long, if that is measurable. */
const MAXIMUM_GROWTH = 10;
const TELLING_MILLISECONDS = 12;
const MINIMUM_MILLISECONDS = 40;

export interface Finding {
  readonly target: string;
  /**
   * `error`: of an unexpected class; `slow`: above its time limit; `grows`: more than linear; `hangs`: never
   * ended.
   */
  readonly kind: 'error' | 'slow' | 'grows' | 'hangs';
  readonly message: string;
  readonly input: Uint8Array;
}

export interface FuzzResult {
  readonly inputs: number;
  /** Covered parts of the code. */
  readonly covered: number;
  /** Inputs that reached new code, including the seeds. */
  readonly corpus: readonly Uint8Array[];
  readonly findings: readonly Finding[];
}

export interface FuzzOptions {
  readonly inputs: number;
  readonly seed: number;
  /** Findings of earlier runs. */
  readonly corpus: readonly Uint8Array[];
  /** Called with an input before it is tried. */
  readonly onInput: (input: Uint8Array) => void;
}

/** Tries mutations of inputs that reached new code. */
export function fuzzTarget(target: Target, options: FuzzOptions): FuzzResult {
  using coverage = options.inputs < GUIDED_INPUTS ? undefined : new Coverage();
  return new FuzzRun(target, options, coverage).result();
}

class FuzzRun {
  readonly #target: Target;
  readonly #options: FuzzOptions;
  /** Undefined in a short run, which tries more inputs without coverage. */
  readonly #coverage: Coverage | undefined;
  readonly #numbers: SeededNumbers;
  readonly #words: readonly Uint8Array[];
  readonly #corpus: Uint8Array[] = [];
  /** By kind and location: one of each suffices. */
  readonly #findings = new Map<string, Finding>();
  #inputs = 0;
  #batchSize = SMALLEST_BATCH;

  constructor(target: Target, options: FuzzOptions, coverage: Coverage | undefined) {
    this.#target = target;
    this.#options = options;
    this.#coverage = coverage;
    this.#numbers = new SeededNumbers(options.seed);
    this.#words = target.words.map((word) => Buffer.from(word));
  }

  result(): FuzzResult {
    const seeds = this.#target.seeds.map((seed) => Uint8Array.from(Buffer.from(seed)));
    for (const seed of [...seeds, ...this.#options.corpus]) this.#try(seed);
    this.#coverage?.peek();
    this.#coverage?.keep();
    this.#corpus.push(...seeds, ...this.#options.corpus);
    while (this.#inputs < this.#options.inputs) this.#batch();
    const findings = [...this.#findings.values()];
    return { inputs: this.#inputs, covered: this.#coverage?.size ?? 0, corpus: this.#corpus, findings };
  }

  #batch(): void {
    const count = Math.min(this.#batchSize, this.#options.inputs - this.#inputs);
    const batch = Array.from({ length: count }, () => this.#next());
    for (const input of batch) {
      this.#try(input);
      if (this.#numbers.below(PUMPED_EVERY) === 0) this.#pump(input);
    }
    const isNew = this.#coverage !== undefined && this.#coverage.peek() > 0;
    this.#batchSize = Math.min(LARGEST_BATCH, isNew ? SMALLEST_BATCH : 2 * this.#batchSize);
    if (isNew) this.#keepNew(batch, this.#coverage);
  }

  /** Bisects down to single inputs: few of a batch reach new code. */
  #keepNew(batch: readonly Uint8Array[], coverage: Coverage): void {
    let retained = 0;
    const look = (from: number, to: number): void => {
      if (retained === KEPT_OF_BATCH) return;
      for (let i = from; i < to; i++) this.#quietly(batch[i] as Uint8Array);
      if (coverage.peek() === 0) return;
      if (to - from === 1) {
        retained++;
        coverage.keep();
        this.#corpus.push(batch[from] as Uint8Array);
        return;
      }
      const middle = (from + to) >> 1;
      look(from, middle);
      look(middle, to);
    };
    look(0, batch.length);
    coverage.skip();
  }

  #next(): Uint8Array {
    const numbers = this.#numbers;
    // newer ones reach further
    const recent = this.#corpus.length > 16 && numbers.below(2) === 0;
    const input = recent
      ? (this.#corpus[this.#corpus.length - 1 - numbers.below(16)] as Uint8Array)
      : numbers.pick(this.#corpus);
    return mutated(input, numbers.pick(this.#corpus), this.#words, numbers);
  }

  #quietly(input: Uint8Array): void {
    this.#options.onInput(input);
    try {
      this.#target.run(input);
    } catch {
      // reported when it was tried first
    }
  }

  #try(input: Uint8Array): void {
    this.#inputs++;
    this.#options.onInput(input);
    const milliseconds = this.#time(input);
    const limit = MINIMUM_MILLISECONDS + (input.length / 1024) * (this.#target.millisecondsPerKilobyte ?? 5);
    if (milliseconds <= limit) return;
    const least = this.#leastProcessorTime(input, 2);
    if (least > limit) this.#report('slow', `${least.toFixed(0)} ms for ${input.length} bytes`, input);
  }

  #time(input: Uint8Array): number {
    const begun = performance.now();
    try {
      this.#target.run(input);
    } catch (error) {
      const name = error instanceof Error ? error.name : typeof error;
      if (!this.#target.refusals.includes(name))
        this.#report('error', error instanceof Error ? (error.stack ?? error.message) : String(error), input);
    }
    return performance.now() - begun;
  }

  /** The processor time counts, not the time that other processes took. */
  #leastProcessorTime(input: Uint8Array, times: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < times; i++) {
      const begun = process.cpuUsage();
      this.#time(input);
      const { user, system } = process.cpuUsage(begun);
      least = Math.min(least, (user + system) / 1000);
    }
    return least;
  }

  /** Repeats a piece of an input, and measures how the time grows. */
  #pump(input: Uint8Array): void {
    if (input.length === 0) return;
    const at = this.#numbers.below(input.length);
    const length = Math.min(1 + this.#numbers.below(8), input.length - at);
    const [small, large] = PUMPED_BYTES.map((bytes) =>
      repeated(input, at, length, Math.ceil(bytes / length)),
    ) as [Uint8Array, Uint8Array];
    this.#options.onInput(large);
    if (this.#time(large) < TELLING_MILLISECONDS) return;
    // a collection or a compilation in one of them is no growth
    let message = '';
    for (let repeat = 0; repeat < 3; repeat++) {
      const [first, second] = [this.#leastProcessorTime(small, 3), this.#leastProcessorTime(large, 3)];
      if (second < TELLING_MILLISECONDS || second / first < MAXIMUM_GROWTH) return;
      message = `${first.toFixed(1)} ms for ${small.length} bytes, ${second.toFixed(1)} for ${large.length}`;
    }
    this.#report('grows', message, large);
  }

  #report(kind: Finding['kind'], message: string, input: Uint8Array): void {
    // the location of an error identifies a bug, not its message
    const key = kind === 'error' ? (/\n\s+at .*/.exec(message)?.[0] ?? message) : kind;
    if (!this.#findings.has(key))
      this.#findings.set(key, { target: this.#target.name, kind, message, input });
  }
}
