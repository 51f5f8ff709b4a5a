import { CodedError } from '@ashlar/core';
import { Interruption } from '../cost/interruption.ts';
import type { Value } from '../values/values.ts';

/** Values of the variables of an evaluation, by name. */
export type Bindings = Readonly<Record<string, unknown>>;

/** Thrown when a value is not available yet. The evaluation can be repeated once `ready` is fulfilled. */
export class Suspension extends CodedError {
  static override readonly code: string = 'ERR_SUSPENSION';
  override readonly name: string = 'Suspension';
  readonly ready: Promise<void>;
  constructor(ready: Promise<void>) {
    super('the evaluation awaits a response');
    this.ready = ready;
  }
}

/** Number of rounds of a loop between two checks of the signal. */
const ROUNDS_BETWEEN_CHECKS = 100;

/** State of one evaluation. */
export class Frame {
  readonly bindings: Bindings;
  /** Variables, and values stored for later reads, by the slot that planning allocated. */
  readonly slots: (Value | undefined)[];
  /** Cost units so far. */
  cost: number;
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
  rounds: number;

  constructor(
    bindings: Bindings,
    slots: (Value | undefined)[],
    limit: number,
    signal: AbortSignal | undefined,
  ) {
    this.bindings = bindings;
    this.slots = slots;
    this.cost = 0;
    this.limit = limit;
    this.signal = signal;
    this.rounds = 0;
  }

  /** Adds cost units that may be many. Throws {@link Interruption} beyond the limit. */
  charge(units: number): void {
    this.cost += units;
    // Stops at NaN, too: costs of functions come from their authors.
    if (!(this.cost <= this.limit)) throw new Interruption('cost-limit');
  }

  /**
   * Called in every round of a loop, with its fixed cost. Throws {@link Interruption} beyond the limit or
   * when the signal is aborted.
   */
  round(units: number): void {
    this.cost += units;
    if (this.cost > this.limit) throw new Interruption('cost-limit');
    if (this.signal !== undefined) this.#checkAborted();
  }

  #checkAborted(): void {
    if (++this.rounds % ROUNDS_BETWEEN_CHECKS === 0 && this.signal?.aborted)
      throw new Interruption('aborted');
  }
}

/** A planned node: returns its value. Its fixed cost is in its plan, see `Plan`. */
export type Evaluate = (frame: Frame) => Value;

/** Always empty. */
const NO_SLOTS: (Value | undefined)[] = [];

/** Empty slots. Short arrays are literals, which engines create fastest. */
export function emptySlots(count: number): (Value | undefined)[] {
  switch (count) {
    case 0:
      return NO_SLOTS;
    case 1:
      return [undefined];
    case 2:
      return [undefined, undefined];
    case 3:
      return [undefined, undefined, undefined];
    case 4:
      return [undefined, undefined, undefined, undefined];
    case 5:
      return [undefined, undefined, undefined, undefined, undefined];
    case 6:
      return [undefined, undefined, undefined, undefined, undefined, undefined];
    default:
      return new Array(count).fill(undefined);
  }
}
