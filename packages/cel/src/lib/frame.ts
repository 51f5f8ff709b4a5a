import type { Value } from './values.ts';

/** Values of the variables of an evaluation, by name. */
export type Bindings = Readonly<Record<string, unknown>>;

/** Thrown when an evaluation must stop; errors of the expression itself are values and never thrown. */
export class Interruption extends Error {
  readonly reason: 'cost-limit' | 'aborted';
  constructor(reason: 'cost-limit' | 'aborted') {
    super(reason === 'cost-limit' ? 'operation cancelled: actual cost limit exceeded' : 'operation interrupted');
    this.reason = reason;
  }
}

/** Thrown when a value is not at hand yet; the evaluation is to be run again once the promise is fulfilled. */
export class Suspension extends Error {
  readonly ready: Promise<void>;
  constructor(ready: Promise<void>) {
    super('the evaluation awaits an answer');
    this.ready = ready;
  }
}

/** How many rounds a loop runs between two looks at the signal. */
const ROUNDS_BETWEEN_CHECKS = 100;

/** What one evaluation carries along. */
export class Frame {
  readonly bindings: Bindings;
  /** Variables of loops, by the slot that planning gave them. */
  readonly locals: Value[];
  /** Cost units so far. */
  cost = 0;
  readonly limit: number;
  readonly #signal: AbortSignal | undefined;
  #rounds = 0;

  constructor(bindings: Bindings, slots: number, limit: number, signal: AbortSignal | undefined) {
    this.bindings = bindings;
    this.locals = slots === 0 ? NO_LOCALS : new Array(slots);
    this.limit = limit;
    this.#signal = signal;
  }

  /** Adds cost units that may be many. Throws {@link Interruption} beyond the limit. */
  charge(units: number): void {
    this.cost += units;
    if (this.cost > this.limit) throw new Interruption('cost-limit');
  }

  /** To be called in every round of a loop. Throws {@link Interruption} beyond the limit or when the signal is aborted. */
  round(): void {
    if (this.cost > this.limit) throw new Interruption('cost-limit');
    if (++this.#rounds % ROUNDS_BETWEEN_CHECKS === 0 && this.#signal?.aborted) throw new Interruption('aborted');
  }
}

const NO_LOCALS: Value[] = [];

/** A planned node: gives its value and adds its cost to the frame. */
export type Evaluate = (frame: Frame) => Value;
