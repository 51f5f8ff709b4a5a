import type { ObjectRecord } from '@ashlar/storage';
import type { BudgetedCache, EncodingBudget } from './encoding-budget.ts';

/** An encoded form of a record, with the bytes that caching it costs. */
export interface Encoding {
  readonly byteLength: number;
}

/**
 * Caches one encoded form of many records, each encoded once and shared by every request, within the budget of the server.
 * @example
 * const messages = new EncodingCache(budget);
 * messages.getOrEncode(record, ({ object }) => codec.encode(object));
 */
export class EncodingCache<T extends Encoding = Uint8Array> implements BudgetedCache {
  readonly #budget: EncodingBudget;
  #young: Map<ObjectRecord, T> = new Map();
  #old: Map<ObjectRecord, T> = new Map();
  #bytesRead = 0;

  constructor(budget: EncodingBudget) {
    this.#budget = budget;
  }

  /** Bytes of the records that were encoded so far: how much work the rest of a list may be. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** Returns the cached encoding of a record, or encodes it and caches the result if the budget allows. */
  getOrEncode(record: ObjectRecord, encode: (record: ObjectRecord) => T): T {
    return this.get(record) ?? this.#add(record, encode);
  }

  /** Returns the cached encoding of a record. */
  get(record: ObjectRecord): T | undefined {
    return this.#young.get(record) ?? this.#getOld(record);
  }

  /** Replaces the encoding of a record, or adds it, if the budget allows. */
  set(record: ObjectRecord, encoding: T): void {
    this.#bytesRead += encoding.byteLength;
    // the previous encoding is dropped, whether or not there is room for the new one
    this.#delete(record);
    if (this.#budget.reserve(this, encoding.byteLength)) this.#young.set(record, encoding);
  }

  rotate(): boolean {
    this.#old = this.#young;
    this.#young = new Map();
    return this.#old.size > 0;
  }

  #delete(record: ObjectRecord): void {
    const previous = this.#young.get(record);
    if (previous) this.#budget.release(previous.byteLength);
    this.#young.delete(record);
    this.#old.delete(record);
  }

  /** Entries of the old generation that are read again move to the young one, if the budget allows. */
  #getOld(record: ObjectRecord): T | undefined {
    if (this.#old.size === 0) return undefined;
    const encoding = this.#old.get(record);
    if (encoding && this.#budget.renew(this, encoding.byteLength)) this.#young.set(record, encoding);
    return encoding;
  }

  #add(record: ObjectRecord, encode: (record: ObjectRecord) => T): T {
    this.#bytesRead += record.stored.length;
    const encoding = encode(record);
    if (this.#budget.reserve(this, encoding.byteLength)) this.#young.set(record, encoding);
    return encoding;
  }
}
