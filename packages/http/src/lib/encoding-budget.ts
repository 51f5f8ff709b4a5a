/** What lets go of the older half of what it keeps. */
export interface BudgetHolder {
  /** What was kept before the last turn goes; what was kept since is the older half now. Whether anything is left. */
  turn(): boolean;
}

/** Bytes that all servers of one process may well spend on what they could make again. */
const DEFAULT_BYTES = 64 * 1024 * 1024;
/** What keeping costs beside the bytes kept. */
const OVERHEAD_BYTES = 200;

/**
 * How many bytes of encodings a server keeps (ADR 8). They are kept in two generations of half the budget each. While the younger one is
 * full nothing more is kept: a list longer than the budget finds the same part of itself again and again, instead of washing out with
 * its end what its beginning kept. After as much was turned away as fits in all, the generations turn, and what nobody asked for goes.
 */
export class EncodingBudget {
  readonly #generation: number;
  readonly #holders: Set<BudgetHolder> = new Set();
  #used = 0;
  #refused = 0;

  constructor(bytes: number = DEFAULT_BYTES) {
    this.#generation = bytes / 2;
  }

  /** Whether so many bytes may be kept that nobody keeps yet. */
  take(holder: BudgetHolder, bytes: number): boolean {
    if (this.retake(holder, bytes)) return true;
    this.#refused += bytes + OVERHEAD_BYTES;
    if (this.#refused <= 2 * this.#generation) return false;
    this.#turn();
    return this.retake(holder, bytes);
  }

  /** Whether there is room for bytes of the older generation in the younger one. */
  retake(holder: BudgetHolder, bytes: number): boolean {
    const cost = bytes + OVERHEAD_BYTES;
    if (this.#used + cost > this.#generation) return false;
    this.#used += cost;
    this.#holders.add(holder);
    return true;
  }

  #turn(): void {
    this.#refused = 0;
    this.#used = 0;
    for (const holder of this.#holders) if (!holder.turn()) this.#holders.delete(holder);
  }
}
