import type { ObjectRecord } from '@ashlar/storage';
import type { BudgetHolder, EncodingBudget } from './encoding-budget.ts';

/** What is made of a record: bytes, or what holds some. */
export interface Encoding {
  readonly byteLength: number;
}

/**
 * One form of many records, each made once and shared by every request, as far as the budget goes.
 * @example
 * const messages = new KeptEncodings(budget);
 * messages.of(record, ({ object }) => codec.encode(object));
 */
export class KeptEncodings<T extends Encoding = Uint8Array> implements BudgetHolder {
  readonly #budget: EncodingBudget;
  #young: Map<ObjectRecord, T> = new Map();
  #old: Map<ObjectRecord, T> = new Map();

  constructor(budget: EncodingBudget) {
    this.#budget = budget;
  }

  /** What is kept for a record, or else what is made now, which is kept where there is room. */
  of(record: ObjectRecord, make: (record: ObjectRecord) => T): T {
    return this.kept(record) ?? this.#made(record, make);
  }

  /** What is kept for a record. */
  kept(record: ObjectRecord): T | undefined {
    return this.#young.get(record) ?? this.#fromOld(record);
  }

  turn(): boolean {
    this.#old = this.#young;
    this.#young = new Map();
    return this.#old.size > 0;
  }

  /** What is asked for again is young again, while there is room. */
  #fromOld(record: ObjectRecord): T | undefined {
    if (this.#old.size === 0) return undefined;
    const encoding = this.#old.get(record);
    if (encoding && this.#budget.retake(this, encoding.byteLength)) this.#young.set(record, encoding);
    return encoding;
  }

  #made(record: ObjectRecord, make: (record: ObjectRecord) => T): T {
    const encoding = make(record);
    if (this.#budget.take(this, encoding.byteLength)) this.#young.set(record, encoding);
    return encoding;
  }
}
