/** A cache in two generations that share an `EncodingBudget` with other caches. */
export interface BudgetedCache {
  /** Drops the old generation and makes the young one old. Returns whether any entries are left. */
  rotate(): boolean;
}

const DEFAULT_BYTES = 48 * 1024 * 1024;
/** Memory that an entry costs besides its bytes. */
const OVERHEAD_BYTES = 200;

/**
 * Limits how many bytes of encodings a server caches (ADR 8), in two generations of half the budget each. When the young generation is
 * full, nothing more is cached until an eighth of its size has been rejected. Then the generations rotate: young entries become old,
 * and old entries that have not been read since are dropped.
 */
export class EncodingBudget {
  /** Bytes of one generation: caching the parts of something larger would only evict what is read again. */
  readonly generation: number;
  readonly #caches: Set<BudgetedCache> = new Set();
  #used = 0;
  #rejected = 0;

  /** @param bytes of both generations together */
  constructor(bytes: number = DEFAULT_BYTES) {
    this.generation = bytes / 2;
  }

  /** Reserves room for a new entry. Returns whether it may be cached. */
  reserve(cache: BudgetedCache, bytes: number): boolean {
    if (this.renew(cache, bytes)) return true;
    this.#rejected += bytes + OVERHEAD_BYTES;
    if (this.#rejected <= this.generation / 8) return false;
    this.#rotate();
    return this.renew(cache, bytes);
  }

  /** Reserves room in the young generation for an entry of the old one. Returns whether it may move. */
  renew(cache: BudgetedCache, bytes: number): boolean {
    const cost = bytes + OVERHEAD_BYTES;
    if (this.#used + cost > this.generation) return false;
    this.#used += cost;
    this.#caches.add(cache);
    return true;
  }

  /** Returns the room of an entry of the young generation that its cache has dropped. */
  release(bytes: number): void {
    this.#used -= bytes + OVERHEAD_BYTES;
  }

  #rotate(): void {
    this.#rejected = 0;
    this.#used = 0;
    for (const cache of this.#caches) if (!cache.rotate()) this.#caches.delete(cache);
  }
}
